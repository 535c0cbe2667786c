/**
 * What real models need (frames, compaction, background tasks, budgets). Frozen once released. `compaction`, `memo`, `tasks`,
 * `todos`, `budget` and `detail` hold JSON text or `$blob:<hash>:<bytes>`.
 */
export const schemaV3 = `
ALTER TABLE "sessions" ADD COLUMN "brief" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "sessions" ADD COLUMN "compaction" TEXT;
ALTER TABLE "sessions" ADD COLUMN "memo" TEXT;
ALTER TABLE "sessions" ADD COLUMN "tasks" TEXT;
ALTER TABLE "sessions" ADD COLUMN "todos" TEXT;
ALTER TABLE "sessions" ADD COLUMN "budget" TEXT;
ALTER TABLE "usage" ADD COLUMN "purpose" TEXT NOT NULL DEFAULT 'step';
ALTER TABLE "usage" ADD COLUMN "detail" TEXT;
CREATE INDEX "usage_day" ON "usage"("day");
CREATE INDEX "usage_session" ON "usage"("session");
`;
