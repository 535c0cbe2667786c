import type Database from 'better-sqlite3';

interface StoredRule {
  readonly row: number;
  readonly effect: string;
  readonly tool: string;
  readonly subject: string;
}

const fileTools: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'Glob', 'Grep']);

/**
 * Until schema 4 the subject of a rule was one exact text; from then on it is a pattern. Stars are escaped, paths begin at the root of the
 * file system (`//`), and a rule whose text is not in its row (a blob) fails safe: it allows nothing more, or its whole tool asks.
 * Frozen once released.
 */
export function rulesV4(database: Database.Database): void {
  const rows = database
    .prepare<[], StoredRule>(
      'SELECT "row", "effect", "tool", "subject" FROM "rules" WHERE "subject" IS NOT NULL',
    )
    .all();
  const set = database.prepare('UPDATE "rules" SET "subject" = ? WHERE "row" = ?');
  const ask = database.prepare(`UPDATE "rules" SET "subject" = NULL, "effect" = 'ask' WHERE "row" = ?`);
  const remove = database.prepare('DELETE FROM "rules" WHERE "row" = ?');
  for (const { row, effect, tool, subject } of rows) {
    if (subject.startsWith('"')) set.run(JSON.stringify(patternOf(tool, JSON.parse(subject) as string)), row);
    else if (effect === 'allow') remove.run(row);
    else ask.run(row);
  }
  promptsV4(database);
}

interface OpenPrompt {
  readonly row: number;
  readonly ruleSubject: string;
}

/** What open prompts would keep with `always`: nothing, where the text that was shown now means something else. */
function promptsV4(database: Database.Database): void {
  const rows = database
    .prepare<[], OpenPrompt>(
      `SELECT "row", "ruleSubject" FROM "prompts" WHERE "ruleSubject" IS NOT NULL AND "state" = 'open'`,
    )
    .all();
  const clear = database.prepare('UPDATE "prompts" SET "rule" = NULL, "ruleSubject" = NULL WHERE "row" = ?');
  for (const { row, ruleSubject } of rows) if (!meansTheSame(ruleSubject)) clear.run(row);
}

function meansTheSame(json: string): boolean {
  if (!json.startsWith('{')) return false;
  const { tool, subject } = JSON.parse(json) as { tool: string; subject: string | null };
  return subject === null || patternOf(tool, subject) === subject;
}

function patternOf(tool: string, exact: string): string {
  if (!fileTools.has(tool) || !exact.startsWith('/')) return exact.replaceAll('*', String.raw`\*`);
  return `/${exact.replaceAll(/[\\*?[\]{}!#~]/g, String.raw`\$&`).replace(/ $/, String.raw`\ `)}`;
}
