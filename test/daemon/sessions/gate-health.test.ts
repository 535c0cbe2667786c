import { expect, it } from 'vitest';
import { GateHealth } from '../../../electron/daemon/sessions/gate-health.ts';

const hook = './check.sh, project settings';
const ran = { hook, event: 'PreToolUse', outcome: 'failed', text: 'ended with exit code 127' } as const;

function health() {
  const problems = new Map<string, string>();
  const port = {
    set: (code: string, message: string) => void problems.set(code, message),
    clear: (code: string) => void problems.delete(code),
  };
  return { gates: new GateHealth(port), problems };
}

it('a guard that does not work is told once in each session and stays a problem until it runs well', () => {
  const { gates, problems } = health();
  const stored = ['a', 'a', 'b'].map((session) => gates.failed(session, { ...ran, broken: 'passes' }));
  const during = [...problems];
  gates.well(ran);
  const again = gates.failed('a', { ...ran, broken: 'holds' });
  expect({
    told: [...stored, again].map(({ broken }) => broken),
    during,
    after: [...problems.values()],
  }).toEqual({
    told: ['passes', undefined, 'passes', 'holds'],
    during: [
      [
        `hook PreToolUse: ${hook}`,
        `The hook (${hook}) of PreToolUse does not work, what it guards passes without it: ended with exit code 127`,
      ],
    ],
    after: [
      `The hook (${hook}) of PreToolUse does not work, nothing that it guards passes: ended with exit code 127`,
    ],
  });
});

it('is no problem any more when the last session that has it lost it; other failures are none', () => {
  const { gates, problems } = health();
  for (const session of ['a', 'b']) gates.failed(session, { ...ran, broken: 'passes' });
  const plain = gates.failed('a', { ...ran, event: 'PostToolUse' });
  const left = ['a', 'b'].map((session) => {
    gates.holds(session, [{ hook: 'other', event: 'PreToolUse' }]);
    return problems.size;
  });
  expect([plain.broken, left]).toEqual([undefined, [1, 0]]);
});
