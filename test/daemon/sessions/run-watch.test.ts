import { expect, it } from 'vitest';
import { type RunName, runWatch } from '../../../electron/daemon/sessions/run-watch.ts';
import type { EffectRow, SessionRow } from '../../../electron/daemon/events/rows.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { mergeConfig } from '../../../shared/domain/merge-config.ts';
import type { HooksSection, SessionConfig } from '../../../shared/domain/session-config.ts';

function facts(change: Partial<CallFacts>): CallFacts {
  const rest = { subject: 'x', paths: [], preimages: [], preview: 'x', description: '' };
  return { tool: 'Bash', input: {}, class: 'blind', cwd: '/w', access: 'command', ...rest, ...change };
}

function config(hooks: HooksSection): SessionConfig {
  const merged = mergeConfig({
    files: [],
    session: { dir: '/w', rules: null, sandbox: null },
    untrusted: [],
  });
  const held = Object.keys(hooks).length === 0 ? [] : [{ source: 'settings' as const, dir: null, hooks }];
  return { ...merged, hooks: held };
}

/** What was told of one call and of what came after it, and when the settings were read. */
async function told(change: Partial<CallFacts>, hooks: HooksSection = {}): Promise<readonly string[]> {
  const seen: string[] = [];
  const open = new Set<string>();
  const name = (run: RunName): string => ('call' in run ? run.call : run.task);
  const call = facts(change);
  const runs = runWatch({
    store: {
      session: () => Promise.resolve({ id: 's' } as SessionRow),
      effect: () => Promise.resolve({ facts: call } as EffectRow),
    },
    policy: {
      config: () => {
        seen.push('read');
        return Promise.resolve(config(hooks));
      },
    },
    runs: {
      began: (run) => {
        open.add(name(run));
        seen.push(`began ${name(run)}`);
      },
      ended: (run) => open.delete(name(run)),
      ran: () => void seen.push('ran'),
    },
  });
  await runs.callBegan('s', { call: 'c', facts: call });
  await runs.taskBegan('s', { task: 't', call: 'c' });
  await runs.ended({ session: 's', call: 'c' });
  await runs.ended({ session: 's', task: 't' });
  return seen;
}

const hook = { PostToolUse: [{ hooks: [{ type: 'command' as const, command: './x' }] }] };

it.each<[string, Partial<CallFacts>, HooksSection, readonly string[]]>([
  ['a command', {}, {}, ['began c', 'began t', 'read', 'read']],
  ['a command where a sandbox was wanted', { sandboxed: false }, {}, ['began c', 'began t', 'read', 'read']],
  ['nothing of a command that is shut in', { sandboxed: true }, {}, ['read']],
  ['nothing of a file', { tool: 'Write', access: 'write', sandboxed: true }, {}, ['read']],
  ['any call around which hooks run', { sandboxed: true }, hook, ['read', 'began c', 'read']],
])('tells of %s, and reads the settings when it ended', async (_what, change, hooks, seen) => {
  expect(await told(change, hooks)).toEqual(seen);
});
