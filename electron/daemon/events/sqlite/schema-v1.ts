/**
 * The first schema. Frozen: what comes later is a migration of its own. `row` is the order of insertion. Times are wall ms,
 * booleans 0 or 1; the columns of `tables.ts` with kind `json` hold JSON text or `$blob:<hash>:<bytes>`.
 */
export const schemaV1 = `
CREATE TABLE "sessions" (
  "row" INTEGER PRIMARY KEY, "id" TEXT NOT NULL UNIQUE, "name" TEXT, "kind" TEXT NOT NULL, "workerType" TEXT NOT NULL,
  "parent" TEXT REFERENCES "sessions"("id"), "dir" TEXT NOT NULL, "mode" TEXT NOT NULL, "model" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "lastActivity" INTEGER NOT NULL, "archivedAt" INTEGER, "seq" INTEGER NOT NULL,
  "nextRef" INTEGER NOT NULL, "paused" INTEGER NOT NULL, "parked" TEXT, "turn" TEXT, "step" TEXT, "frame" TEXT, "context" TEXT,
  "crash" TEXT, "runAt" INTEGER, "inTurn" INTEGER NOT NULL, "pendingTexts" INTEGER NOT NULL, "openPrompts" INTEGER NOT NULL,
  "sleepingUntil" INTEGER, "turnFacts" TEXT, "replySeq" INTEGER
) STRICT;
CREATE UNIQUE INDEX "sessions_name" ON "sessions"("name") WHERE "archivedAt" IS NULL AND "name" IS NOT NULL;
CREATE INDEX "sessions_run" ON "sessions"("runAt");
CREATE INDEX "sessions_turn" ON "sessions"("inTurn");
CREATE INDEX "sessions_pending" ON "sessions"("pendingTexts");

CREATE TABLE "events" (
  "id" INTEGER PRIMARY KEY, "session" TEXT NOT NULL REFERENCES "sessions"("id"), "seq" INTEGER NOT NULL, "at" INTEGER NOT NULL,
  "type" TEXT NOT NULL, "v" INTEGER NOT NULL, "origin" TEXT, "body" TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX "events_place" ON "events"("session", "seq");

CREATE TABLE "wakes" (
  "row" INTEGER PRIMARY KEY, "id" TEXT NOT NULL UNIQUE, "session" TEXT NOT NULL REFERENCES "sessions"("id"),
  "kind" TEXT NOT NULL, "mode" TEXT NOT NULL, "origin" TEXT NOT NULL, "route" TEXT NOT NULL, "dedupeKey" TEXT NOT NULL UNIQUE,
  "state" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, "availableAt" INTEGER NOT NULL, "message" TEXT, "ref" TEXT, "seq" INTEGER,
  "call" TEXT, "turn" TEXT, "text" INTEGER NOT NULL, "direct" INTEGER NOT NULL, "settledBy" TEXT
) STRICT;
CREATE INDEX "wakes_message" ON "wakes"("message");
CREATE INDEX "wakes_order" ON "wakes"("session", "state", "text");
CREATE INDEX "wakes_due" ON "wakes"("session", "state", "text", "availableAt");
CREATE INDEX "wakes_time" ON "wakes"("state", "availableAt");

CREATE TABLE "effects" (
  "row" INTEGER PRIMARY KEY, "id" TEXT NOT NULL UNIQUE, "session" TEXT NOT NULL REFERENCES "sessions"("id"),
  "kind" TEXT NOT NULL, "cause" TEXT NOT NULL, "class" TEXT NOT NULL, "key" TEXT NOT NULL, "route" TEXT, "state" TEXT NOT NULL,
  "attempt" INTEGER NOT NULL, "createdAt" INTEGER NOT NULL, "updatedAt" INTEGER NOT NULL, "tool" TEXT, "input" TEXT,
  "facts" TEXT, "decision" TEXT, "digest" TEXT, "prompt" TEXT, "result" TEXT, "until" INTEGER, "text" TEXT, "externalId" TEXT
) STRICT;
CREATE INDEX "effects_cause" ON "effects"("cause");
CREATE INDEX "effects_time" ON "effects"("state", "until");

CREATE TABLE "prompts" (
  "row" INTEGER PRIMARY KEY, "id" TEXT NOT NULL UNIQUE, "code" TEXT NOT NULL, "kind" TEXT NOT NULL, "state" TEXT NOT NULL,
  "session" TEXT NOT NULL REFERENCES "sessions"("id"), "sessionName" TEXT, "call" TEXT, "tool" TEXT, "headline" TEXT NOT NULL,
  "description" TEXT NOT NULL, "preview" TEXT NOT NULL, "options" TEXT NOT NULL, "multiple" INTEGER NOT NULL, "rule" TEXT,
  "dir" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, "expiresAt" INTEGER NOT NULL, "verdict" TEXT, "by" TEXT,
  "digest" TEXT NOT NULL, "ruleSubject" TEXT, "origin" TEXT NOT NULL
) STRICT;
CREATE INDEX "prompts_code" ON "prompts"("code");
CREATE INDEX "prompts_session" ON "prompts"("session", "state");
CREATE INDEX "prompts_time" ON "prompts"("state", "expiresAt");

CREATE TABLE "offers" (
  "row" INTEGER PRIMARY KEY, "prompt" TEXT NOT NULL REFERENCES "prompts"("id"), "surface" TEXT NOT NULL,
  "offeredAt" INTEGER NOT NULL, "shown" INTEGER, "settledTold" INTEGER NOT NULL, "externalId" TEXT,
  UNIQUE ("prompt", "surface")
) STRICT;
CREATE INDEX "offers_surface" ON "offers"("surface", "settledTold");

CREATE TABLE "rules" (
  "row" INTEGER PRIMARY KEY, "id" TEXT NOT NULL UNIQUE, "effect" TEXT NOT NULL, "tool" TEXT NOT NULL, "subject" TEXT,
  "source" TEXT NOT NULL, "session" TEXT REFERENCES "sessions"("id"), "createdAt" INTEGER NOT NULL, "by" TEXT
) STRICT;

CREATE TABLE "devices" (
  "row" INTEGER PRIMARY KEY, "id" TEXT NOT NULL UNIQUE, "name" TEXT NOT NULL, "scopes" TEXT NOT NULL,
  "tokenHash" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, "lastSeen" INTEGER, "revokedAt" INTEGER
) STRICT;

CREATE TABLE "usage" (
  "row" INTEGER PRIMARY KEY, "step" TEXT NOT NULL UNIQUE, "session" TEXT NOT NULL REFERENCES "sessions"("id"),
  "model" TEXT NOT NULL, "cause" TEXT NOT NULL, "day" TEXT NOT NULL, "reserved" TEXT NOT NULL, "settled" INTEGER NOT NULL,
  "tokens" INTEGER NOT NULL, "microUsd" INTEGER NOT NULL
) STRICT;
CREATE TABLE "usage_days" (
  "row" INTEGER PRIMARY KEY, "day" TEXT NOT NULL, "session" TEXT NOT NULL, "tokens" INTEGER NOT NULL,
  "microUsd" INTEGER NOT NULL, UNIQUE ("day", "session")
) STRICT;

CREATE TABLE "sent" (
  "row" INTEGER PRIMARY KEY, "event" INTEGER NOT NULL UNIQUE REFERENCES "events"("id"), "session" TEXT NOT NULL,
  "seq" INTEGER NOT NULL, "turn" TEXT NOT NULL, "textHash" TEXT NOT NULL, "routeKeys" TEXT NOT NULL
) STRICT;
CREATE INDEX "sent_turn" ON "sent"("turn");

CREATE TABLE "meta" ("row" INTEGER PRIMARY KEY, "key" TEXT NOT NULL UNIQUE, "value" TEXT NOT NULL) STRICT;

CREATE TABLE "blob_refs" (
  "row" INTEGER PRIMARY KEY, "hash" TEXT NOT NULL, "owner" TEXT NOT NULL, UNIQUE ("hash", "owner")
) STRICT;
`;
