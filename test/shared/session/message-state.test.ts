import { expect, test } from 'vitest';
import { openSession, reduceSession, type SessionPageView } from '../../../shared/session/session-view.ts';
import { messageState } from '../../../shared/session/session-view-state.ts';
import type { SessionView } from '../../../shared/session/home-view-schema.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import { eventLog, promptRow, sessionRow, workedSession } from './events.ts';

const events = workedSession(['m-1', 'm-2']);

function view(
  from: number,
  to: number,
  change: { session?: Partial<SessionView>; prompts?: PromptView[] } = {},
): SessionPageView {
  const session = sessionRow(change.session);
  const page = events.slice(from, to);
  return openSession(
    { session, events: page, older: from > 0, prompts: change.prompts ?? [], draft: null },
    to,
  );
}

const nothing = { settledBy: null, replies: [], codes: [] };
const done = {
  state: 'settled',
  settledBy: 'reply',
  replies: [{ text: 'done', status: 'normal' }],
  codes: [],
};

test.each<[string, SessionPageView, object | null]>([
  ['not received yet', view(0, 2), null],
  ['received', view(0, 3), { state: 'working', ...nothing }],
  ['taken by a turn', view(0, 6), { state: 'working', ...nothing }],
  ['asking', view(0, 8, { prompts: [promptRow()] }), { state: 'asking', ...nothing, codes: ['abcde'] }],
  [
    'asking was answered',
    view(0, 10, { prompts: [promptRow({ state: 'decided' })] }),
    { state: 'working', ...nothing },
  ],
  [
    'parked',
    view(0, 6, { session: { parked: { code: 'c', reason: 'r', at: 1 } } }),
    { state: 'parked', ...nothing },
  ],
  [
    'answered, not settled',
    view(0, 13),
    { state: 'working', ...nothing, replies: [{ text: 'done', status: 'normal' }] },
  ],
  ['settled', view(0, 15), done],
  ['settled, its beginning not loaded', view(12, 15), done],
  [
    'settled while another asks',
    view(0, 15, { prompts: [promptRow({ id: 'pmt_2', code: 'fghij' })] }),
    { ...done, codes: ['fghij'] },
  ],
])('A message that is %s.', (_name, seen, state) => {
  expect(messageState(seen, 'm-2')).toEqual(state);
});

test('A message settled without a turn has the replies that name it.', () => {
  const { events: log, add } = eventLog();
  const ref = { message: 'm-1', wake: 'wak_1', ref: 'm1' };
  add('message.received', {
    ...ref,
    kind: 'person',
    mode: 'next_step',
    text: 'x',
    route: { surface: 'viewers' },
  });
  const sent = { turn: null, call: null, status: 'normal' as const, source: 'notice' as const, routes: [] };
  add('message.sent', { ...sent, text: 'for another', inReplyTo: 'm2' });
  add('message.sent', { ...sent, text: 'it failed', inReplyTo: 'm1' });
  add('message.settled', { ...ref, turn: null, by: 'failure_notice' });
  const seen = openSession(
    { session: sessionRow(), events: log, older: false, prompts: [], draft: null },
    log.length,
  );
  expect(messageState(seen, 'm-1')).toEqual({
    state: 'settled',
    settledBy: 'failure_notice',
    replies: [{ text: 'it failed', status: 'normal' }],
    codes: [],
  });
});

test('A burst of 3,000 waiting messages is taken in, settled and asked about.', () => {
  const { events: log, add } = eventLog();
  const refs = Array.from({ length: 3_000 }, (_, n) => ({
    message: `m-${n}`,
    wake: `wak_${n}`,
    ref: `m${n}`,
  }));
  for (const ref of refs) {
    add('message.received', {
      ...ref,
      kind: 'person',
      mode: 'next_step',
      text: 'x',
      route: { surface: 'viewers' },
    });
  }
  for (const ref of refs) add('message.settled', { ...ref, turn: 'trn_1', by: 'reply' });
  const empty = openSession({ session: sessionRow(), events: [], older: false, prompts: [], draft: null }, 0);
  const seen = log.reduce((known, event) => reduceSession(known, { type: 'event', event }), empty);
  expect([messageState(seen, 'm-0')?.state, messageState(seen, 'm-2999')?.state]).toEqual([
    'settled',
    'settled',
  ]);
}, 20_000);
