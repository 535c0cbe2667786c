/**
 * Permissions (rules with patterns, trust, sandbox, risks). Frozen once released. `rules`, `risks` and `config` hold JSON text or
 * `$blob:<hash>:<bytes>`. Stored rules are brought along by `rulesV4`.
 */
export const schemaV4 = `
ALTER TABLE "sessions" ADD COLUMN "rules" TEXT;
ALTER TABLE "sessions" ADD COLUMN "sandbox" TEXT;
ALTER TABLE "sessions" ADD COLUMN "decideAnew" TEXT;
ALTER TABLE "prompts" ADD COLUMN "risks" TEXT;
ALTER TABLE "prompts" ADD COLUMN "reason" TEXT;
ALTER TABLE "rules" ADD COLUMN "sandboxed" INTEGER;
CREATE TABLE "trust" (
  "row" INTEGER PRIMARY KEY, "dir" TEXT NOT NULL UNIQUE, "digest" TEXT NOT NULL, "trusted" INTEGER NOT NULL,
  "config" TEXT NOT NULL, "at" INTEGER NOT NULL, "by" TEXT
) STRICT;
`;
