import { describe, expect, it } from 'vitest';
import { afterSend, maxAttempts } from '../../../electron/daemon/effects/after-send.ts';
import { type EffectClass, type EffectState, recover } from '../../../shared/domain/effects.ts';

describe('after a try to send', () => {
  it('a platform id makes it done', () => {
    expect(afterSend({ kind: 'sent', externalId: '7' }, 'blind', 1, 0)).toEqual({ state: 'done', externalId: '7' });
  });
  it('an unknown outcome is never repeated on a blind way', () => {
    expect(afterSend({ kind: 'unknown', reason: 'cut' }, 'blind', 1, 0)).toEqual({ state: 'uncertain', reason: 'cut' });
  });
  it.each(['keyed', 'readback'] as const)('an unknown outcome is tried again on a %s way', (effectClass) => {
    expect(afterSend({ kind: 'unknown', reason: 'cut' }, effectClass, 2, 100)).toEqual({ state: 'planned', reason: 'cut', notBefore: 2100 });
  });
  it('the platform may ask for a longer pause', () => {
    expect(afterSend({ kind: 'retry', reason: '429', afterMs: 9000 }, 'blind', 1, 0)).toMatchObject({ notBefore: 9000 });
  });
  it('it is given up after the last try', () => {
    expect(afterSend({ kind: 'retry', reason: 'down' }, 'keyed', maxAttempts, 0).state).toBe('failed');
  });
});

describe('recovery of an effect found after a crash', () => {
  const rows: [EffectClass, EffectState, ReturnType<typeof recover>][] = [
    ['pure', 'planned', 'run'], ['blind', 'planned', 'run'], ['blind', 'granted', 'run'],
    ['pure', 'started', 'retry'], ['local', 'started', 'retry'], ['keyed', 'started', 'retry'],
    ['readback', 'started', 'query'], ['blind', 'started', 'uncertain'],
    ['blind', 'done', 'none'], ['keyed', 'failed', 'none'], ['blind', 'uncertain', 'none'],
  ];
  it.each(rows)('%s %s -> %s', (effectClass, state, expected) => {
    expect(recover(effectClass, state)).toBe(expected);
  });
});
