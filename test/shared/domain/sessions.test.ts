import { describe, expect, it } from 'vitest';
import { type SessionFacts, sessionNamePattern, sessionState } from '../../../shared/domain/sessions.ts';

const facts: SessionFacts = {
  parked: false,
  paused: false,
  openPrompts: 0,
  inTurn: false,
  waiting: false,
  pending: 0,
  leased: false,
};

describe('the state of a session', () => {
  it.each([
    ['asleep without anything to do', {}, 'sleeping'],
    ['idle with its worker', { leased: true }, 'idle'],
    ['working', { inTurn: true, leased: true }, 'working'],
    ['queued with a turn and no worker', { inTurn: true }, 'queued'],
    ['queued with a message and no worker', { pending: 1 }, 'queued'],
    ['working on its way to a message', { pending: 1, leased: true }, 'working'],
    ['asking, with or without a worker', { inTurn: true, openPrompts: 1 }, 'asking'],
    ['asking also while paused', { paused: true, inTurn: true, openPrompts: 1 }, 'asking'],
    ['parked before all else', { parked: true, openPrompts: 1, inTurn: true, paused: true }, 'parked'],
    ['paused', { paused: true, pending: 2 }, 'paused'],
    ['working off a running call while paused', { paused: true, inTurn: true, leased: true }, 'working'],
    ['sleeping by its own Sleep', { inTurn: true, waiting: true }, 'sleeping'],
    ['sleeping by its own Sleep with a worker', { inTurn: true, waiting: true, leased: true }, 'sleeping'],
  ])('is %s', (_title, change, state) => {
    expect(sessionState({ ...facts, ...change })).toBe(state);
  });
});

describe('names of sessions', () => {
  it.each(['a', 'my-project', 'v1.2_x', '项目', 'Ünï', 'a'.repeat(64)])('%s', (name) => {
    expect(sessionNamePattern.test(name)).toBe(true);
  });
  it.each(['', '-a', 'ses_1', 'a b', 'a/b', 'a'.repeat(65), 'a\n', '../x'])('not %j', (name) => {
    expect(sessionNamePattern.test(name)).toBe(false);
  });
});
