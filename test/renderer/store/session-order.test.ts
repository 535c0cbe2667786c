import { expect, test } from 'vitest';
import { firstPane } from '../../../renderer/store/first-pane.ts';
import { groupSessions, neighbour } from '../../../renderer/store/session-order.ts';
import { home, session } from '../support/samples.ts';

const sessions = [
  session('old', { lastActivity: 1, state: 'sleeping' }),
  session('asks', { lastActivity: 2, state: 'asking', openPrompts: 1 }),
  session('works', { lastActivity: 3, state: 'working' }),
  session('stopped', { lastActivity: 4, state: 'parked' }),
  session('new', { lastActivity: 5 }),
  session('queued', { lastActivity: 6, state: 'queued' }),
  session('paused', { lastActivity: 7, state: 'paused' }),
];

test('What asks or stopped leads, then what works or waits for its turn, then the rest; each by latest activity.', () => {
  const { asking, working, rest } = groupSessions(sessions);
  expect([asking, working, rest].map((group) => group.map(({ id }) => id))).toEqual([
    ['stopped', 'asks'],
    ['queued', 'works'],
    ['paused', 'new', 'old'],
  ]);
});

test.each([
  ['stopped', 1, false, 'asks'],
  ['old', 1, false, 'stopped'],
  ['stopped', -1, false, 'old'],
  [null, 1, false, 'stopped'],
  [null, -1, false, 'old'],
  ['new', 1, true, 'stopped'],
  ['asks', 1, true, 'stopped'],
] as const)('From %s a step of %s (only asking: %s) leads to %s.', (current, step, onlyAsking, next) => {
  expect(neighbour(sessions, current, step, onlyAsking)).toBe(next);
});

test('A window opens with what asks, else with what it showed last, else with the first in the list, else with the form.', () => {
  const [calm, known] = [sessions.filter(({ id }) => id === 'old' || id === 'new'), home({ sessions })];
  expect([
    firstPane({ home: known }, 'old'),
    firstPane({ home: home({ sessions: calm }) }, 'old'),
    firstPane({ home: home({ sessions: calm }) }, 'gone'),
    firstPane({ home: home() }, 'old'),
  ]).toEqual([
    { kind: 'session', id: 'stopped' },
    { kind: 'session', id: 'old' },
    { kind: 'session', id: 'new' },
    { kind: 'new' },
  ]);
});
