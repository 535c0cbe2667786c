import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kairos } from '../../support/real/kairos.ts';

/** A hook as settings name it; `timeout` in seconds. */
export interface HookWish {
  readonly event: string;
  readonly command: string;
  readonly matcher?: string;
  readonly timeout?: number;
}

/** Section `hooks` with these. */
export function hooksSection(wishes: readonly HookWish[]): Record<string, unknown> {
  const section: Record<string, unknown[]> = {};
  for (const { event, matcher, ...hook } of wishes) {
    (section[event] ??= []).push({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: 'command', ...hook }],
    });
  }
  return section;
}

/** A script that says this JSON, as a command for a hook. */
export function saying(kairos: Kairos, name: string, output: unknown): string {
  return script(kairos, name, `cat <<'END'\n${JSON.stringify(output)}\nEND`);
}

/** Writes a shell script beside the working directory; its path. */
export function script(kairos: Kairos, name: string, body: string): string {
  const path = join(kairos.base, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** JSON of a PreToolUse answer. */
export function decision(permissionDecision: string, more: Record<string, unknown> = {}): unknown {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } };
}
