import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHome, reduceHome } from '../../../shared/session/home-view.ts';
import type { HomeChange, HomeView } from '../../../shared/session/home-view-schema.ts';
import { promptRow, sessionRow } from './events.ts';

const empty: HomeView = {
  sessions: [],
  prompts: [],
  problems: [],
  paused: false,
  usage: { dayMicroUsd: 0, limitMicroUsd: null },
  daemon: { version: '1', pid: 1, startedAt: 1, safe: null },
};

test('Each change replaces what it names.', () => {
  const changes: HomeChange[] = [
    { type: 'session', session: sessionRow({ id: 'ses_2' }) },
    { type: 'sessions', sessions: [sessionRow({ id: 'ses_3' }), sessionRow({ id: 'ses_1' })] },
    { type: 'session', session: sessionRow({ id: 'ses_2', name: 'renamed' }) },
    { type: 'prompt', prompt: promptRow({ id: 'pmt_1', session: 'ses_1' }) },
    { type: 'prompt', prompt: promptRow({ id: 'pmt_2', session: 'ses_3' }) },
    { type: 'prompt', prompt: promptRow({ id: 'pmt_3', session: 'ses_2' }) },
    { type: 'prompt', prompt: promptRow({ id: 'pmt_1', state: 'decided' }) },
    { type: 'session_gone', id: 'ses_3' },
    { type: 'problems', problems: [{ code: 'port', message: 'm', next: 'n', since: 1 }] },
    { type: 'paused', paused: true },
    { type: 'usage', dayMicroUsd: 5, limitMicroUsd: 10 },
  ];
  expect(changes.reduce(reduceHome, empty)).toEqual({
    ...empty,
    sessions: [sessionRow({ id: 'ses_1' }), sessionRow({ id: 'ses_2', name: 'renamed' })],
    prompts: [promptRow({ id: 'pmt_3', session: 'ses_2' })],
    problems: [{ code: 'port', message: 'm', next: 'n', since: 1 }],
    paused: true,
    usage: { dayMicroUsd: 5, limitMicroUsd: 10 },
  });
});

const id = fc.constantFrom('1', '2', '3', '4');
const change: fc.Arbitrary<HomeChange> = fc.oneof(
  fc.record({ id, name: fc.string() }).map(({ id, name }) => ({
    type: 'session' as const,
    session: sessionRow({ id, name }),
  })),
  fc
    .array(id)
    .map((ids) => ({ type: 'sessions' as const, sessions: ids.map((each) => sessionRow({ id: each })) })),
  fc.record({ id, state: fc.constantFrom('open' as const, 'decided' as const) }).map((row) => ({
    type: 'prompt' as const,
    prompt: promptRow({ ...row, session: '1' }),
  })),
  id.map((gone) => ({ type: 'session_gone' as const, id: gone })),
);

test('A snapshot taken anywhere in between leads to the same view, and repeating a change changes nothing.', () => {
  fc.assert(
    fc.property(fc.array(change), fc.nat(20), (changes, at) => {
      const whole = changes.reduce(reduceHome, empty);
      const snapshot = changes.slice(0, at).reduce(reduceHome, empty);
      const shuffled = { ...snapshot, sessions: snapshot.sessions.toReversed() };
      const rest = changes.slice(at).flatMap((each) => [each, each]);
      expect(rest.reduce(reduceHome, openHome(shuffled))).toEqual(whole);
    }),
  );
});
