import { describe, expect, it } from 'vitest';
import type { ExportedEvent } from '../support/real/kairos.ts';
import type { Evidence } from './support/evidence.ts';
import { judge } from './support/oracle.ts';

function log(...facts: readonly (readonly [type: string, body: unknown])[]): readonly ExportedEvent[] {
  return facts.map(([type, body], index) => ({
    id: index + 1,
    session: 's',
    seq: index + 1,
    at: 0,
    type,
    v: 1,
    body,
  }));
}

const bash = { type: 'call', id: 'c1', tool: 'Bash', input: { command: 'echo c-1 >> ledger' } };
const good: readonly (readonly [string, unknown])[] = [
  ['message.received', { message: 'u1' }],
  ['turn.began', { turn: 't1' }],
  ['step.began', { step: 'p1', turn: 't1', n: 1 }],
  ['step.replied', { step: 'p1', turn: 't1', reply: { parts: [bash] } }],
  ['prompt.opened', { prompt: 'q1', code: 'abcde' }],
  ['prompt.decided', { prompt: 'q1', code: 'abcde', verdict: { behavior: 'allow' } }],
  ['call.began', { call: 'c1', decision: { behavior: 'allow' } }],
  ['call.ended', { call: 'c1', result: { outcome: 'ok' } }],
  ['message.sent', { turn: 't1', text: 'done', routes: [] }],
  ['message.settled', { message: 'u1', turn: 't1', by: 'reply' }],
  ['turn.ended', { turn: 't1' }],
];

function evidence(facts: readonly (readonly [string, unknown])[], more: Partial<Evidence> = {}): Evidence {
  return {
    logs: new Map([['s', log(...facts)]]),
    acknowledged: [{ uuid: 'u1', session: 's' }],
    accepted: [{ code: 'abcde', behavior: 'allow' }],
    ledger: ['c-1'],
    platform: [],
    ...more,
  };
}

const without = (type: string) => good.filter(([each]) => each !== type);
const twice = (type: string) => good.flatMap((fact) => (fact[0] === type ? [fact, fact] : [fact]));
const problems = (given: Evidence): readonly string[] => judge(given).problems;

describe('The oracle of the crash suite', () => {
  it('finds nothing in a run that kept its promises', () => {
    expect(judge(evidence(good))).toEqual({
      problems: [],
      messages: 1,
      lost: 0,
      doubled: 0,
      unknown: 0,
      calls: 1,
    });
  });

  it('counts a call with an unknown outcome as marked, whether it ran or not', () => {
    const unknown = good.map((fact): readonly [string, unknown] =>
      fact[0] === 'call.ended' ? ['call.ended', { call: 'c1', result: { outcome: 'unknown' } }] : fact,
    );
    expect(judge(evidence(unknown))).toMatchObject({ problems: [], unknown: 1 });
    expect(judge(evidence(unknown, { ledger: [] }))).toMatchObject({ problems: [], unknown: 1 });
  });

  it.each([
    ['a lost message', evidence(without('message.settled')), 'message u1 was settled 0 times'],
    ['a message settled twice', evidence(twice('message.settled')), 'message u1 was settled 2 times'],
    ['a message stored twice', evidence(twice('message.received')), 'message u1 was stored 2 times'],
    [
      'a reply that nobody can see',
      evidence(without('message.sent')),
      'message u1 is settled by a reply that nobody can see',
    ],
    ['the same text twice', evidence(twice('message.sent')), 's: the same text was sent twice in turn t1'],
    ['a repeated command', evidence(good, { ledger: ['c-1', 'c-1'] }), 'command c-1 ran 2 times'],
    [
      'a done command that did not run',
      evidence(good, { ledger: [] }),
      'call c1 (c-1) is reported as done and did not run',
    ],
    [
      'a run without a decision',
      evidence(without('call.began')),
      'command c-1 ran without a stored decision',
    ],
    ['a call without an end', evidence(without('call.ended')), 's: call c1 has 0 ends ()'],
    ['an unanswered prompt', evidence(without('prompt.decided')), 's: prompt q1 was never answered'],
    [
      'a lost verdict',
      evidence(without('prompt.decided')),
      'the verdict allow on abcde was acknowledged, the log has none',
    ],
    ['an open turn', evidence(without('turn.ended')), 's: turn t1 never ended'],
  ])('finds %s', (_, given, expected) => {
    expect(problems(given)).toContain(expected);
  });

  it('takes a parked session for a fault, unless three deaths at one place parked it', () => {
    const parked = (code: string) => [...good, ['session.parked', { code, reason: 'so it is' }] as const];
    const after = { parkingAllowed: ['crash_loop'] } as const;
    expect([
      problems(evidence(parked('crash_loop'))),
      problems(evidence(parked('crash_loop'), after)),
      problems(evidence(parked('runner_failed'), after)),
    ]).toEqual([
      ['s: it was parked (crash_loop): so it is'],
      [],
      ['s: it was parked (runner_failed): so it is'],
    ]);
  });

  it('finds a gap in the numbers', () => {
    const gap = new Map([['s', log(...good).filter(({ seq }) => seq !== 5)]]);
    expect(problems(evidence(good, { logs: gap }))).toContain('s: the log has seq 6 where 5 belongs');
  });

  it('finds a message that the platform shows twice, and takes a repeated idempotency key for one', () => {
    const planned = (effectClass: string): readonly (readonly [string, unknown])[] => [
      ...good,
      ['delivery.planned', { effect: 'e1', class: effectClass }],
      ['delivery.done', { effect: 'e1' }],
    ];
    const copy = { effect: 'e1', key: 'k', surface: 'x', chat: 'y', text: 'z' };
    const platform = [copy, copy];
    expect(problems(evidence(planned('blind'), { platform }))).toEqual(['delivery e1 is visible 2 times']);
    expect(problems(evidence(planned('keyed'), { platform }))).toEqual([]);
    expect(problems(evidence(planned('keyed')))).toEqual([
      'delivery e1 is reported as done and is not there',
    ]);
  });
});
