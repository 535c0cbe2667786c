import { describe, expect, it } from 'vitest';
import {
  afterLookup,
  afterSend,
  isDue,
  maxAttempts,
  whatToDo,
} from '../../../electron/daemon/effects/after-send.ts';
import { type EffectClass, type EffectState, recover } from '../../../shared/domain/effects.ts';

describe('after a try to send', () => {
  it('a platform id makes it done', () => {
    expect(afterSend({ kind: 'sent', externalId: '7' }, 'blind', 1, 0)).toEqual({
      state: 'done',
      externalId: '7',
    });
  });
  it('an unknown outcome is never repeated on a blind way', () => {
    expect(afterSend({ kind: 'unknown', reason: 'cut' }, 'blind', 1, 0)).toEqual({
      state: 'uncertain',
      reason: 'cut',
    });
  });
  it.each(['keyed', 'readback'] as const)('an unknown outcome is tried again on a %s way', (effectClass) => {
    expect(afterSend({ kind: 'unknown', reason: 'cut' }, effectClass, 2, 100)).toEqual({
      state: 'planned',
      reason: 'cut',
      notBefore: 2100,
    });
  });
  it('the platform may ask for a longer pause', () => {
    expect(afterSend({ kind: 'retry', reason: '429', afterMs: 9000 }, 'blind', 1, 0)).toMatchObject({
      notBefore: 9000,
    });
  });
  it.each([
    ['blind', 'failed'],
    ['readback', 'failed'],
    ['keyed', 'uncertain'],
  ] as const)('a %s message is given up as %s after the last try', (effectClass, state) => {
    expect(afterSend({ kind: 'retry', reason: 'down' }, effectClass, maxAttempts, 0).state).toBe(state);
  });
  it('a refusal of the first try is certain, one of a later keyed try is not', () => {
    const refused = { kind: 'rejected', reason: 'no such chat' } as const;
    expect([afterSend(refused, 'keyed', 1, 0).state, afterSend(refused, 'keyed', 2, 0).state]).toEqual([
      'failed',
      'uncertain',
    ]);
  });
});

describe('what a delivery needs', () => {
  const rows = [
    ['readback', 'planned', 0, 'run'],
    ['readback', 'planned', 1, 'query'],
    ['readback', 'started', 1, 'query'],
    ['keyed', 'planned', 3, 'run'],
    ['keyed', 'started', 1, 'retry'],
    ['blind', 'planned', 2, 'run'],
    ['blind', 'started', 1, 'uncertain'],
    ['blind', 'done', 1, 'none'],
  ] as const;
  it.each(rows)('%s, %s, tried %i times: %s', (effectClass, state, attempt, todo) => {
    expect(whatToDo({ class: effectClass, state, attempt })).toBe(todo);
  });
});

describe('when a delivery may be tried', () => {
  it.each([
    ['without a time', null, 0, 0, true],
    ['when its time has come', 100, 50, 100, true],
    ['not before its time', 100, 50, 99, false],
    ['when the clock was set back behind its last change', 100, 50, 49, true],
  ] as const)('%s', (_title, until, updatedAt, now, due) => {
    expect(isDue({ until, updatedAt }, now)).toBe(due);
  });
});

describe('after a look-up that could not be made', () => {
  it('it is looked up again for a day, then it is uncertain', () => {
    const reason = 'It cannot be looked up whether it arrived.';
    expect(afterLookup({ createdAt: 0 }, 1000)).toEqual({ state: 'planned', reason, notBefore: 31_000 });
    expect(afterLookup({ createdAt: 0 }, 25 * 3_600_000)).toEqual({ state: 'uncertain', reason });
  });
});

describe('recovery of an effect found after a crash', () => {
  const rows: [EffectClass, EffectState, ReturnType<typeof recover>][] = [
    ['pure', 'planned', 'run'],
    ['blind', 'planned', 'run'],
    ['blind', 'granted', 'run'],
    ['pure', 'started', 'retry'],
    ['local', 'started', 'retry'],
    ['keyed', 'started', 'retry'],
    ['readback', 'started', 'query'],
    ['blind', 'started', 'uncertain'],
    ['blind', 'done', 'none'],
    ['keyed', 'failed', 'none'],
    ['blind', 'uncertain', 'none'],
  ];
  it.each(rows)('%s %s -> %s', (effectClass, state, expected) => {
    expect(recover(effectClass, state)).toBe(expected);
  });
});
