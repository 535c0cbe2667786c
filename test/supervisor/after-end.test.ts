import { describe, expect, test } from 'vitest';
import { type RestartPolicy, decideRestart } from '../../shared/domain/supervision/restart-policy.ts';
import { wantsRestart } from '../../shared/domain/supervision/child-spec.ts';
import { type DaemonEnd, afterEnd } from '../../electron/supervisor/after-end.ts';
import { readOptions } from '../../electron/supervisor/options.ts';

const failure = { code: 'x', reason: 'It broke.' };
const crash: DaemonEnd = { code: 1, failure };

describe('a restart', () => {
  const policy: RestartPolicy = { intensity: 3, periodMs: 1_000, firstDelayMs: 100, longestDelayMs: 250 };

  test('comes later each time, up to the longest delay, until there are too many in the period', () => {
    expect(decideRestart(policy, [], 0)).toEqual({ kind: 'restart', afterMs: 100, failures: [0] });
    expect(decideRestart(policy, [0], 10)).toEqual({ kind: 'restart', afterMs: 200, failures: [0, 10] });
    expect(decideRestart(policy, [0, 10], 20)).toEqual({
      kind: 'restart',
      afterMs: 250,
      failures: [0, 10, 20],
    });
    expect(decideRestart(policy, [0, 10, 20], 30)).toEqual({ kind: 'give_up', failures: [0, 10, 20, 30] });
  });

  test('forgets failures that are older than the period', () => {
    expect(decideRestart(policy, [0, 10, 20], 1_010)).toEqual({
      kind: 'restart',
      afterMs: 200,
      failures: [20, 1_010],
    });
  });

  test.each([
    ['permanent', true, true],
    ['permanent', false, true],
    ['transient', true, false],
    ['transient', false, true],
    ['temporary', true, false],
    ['temporary', false, false],
  ] as const)('of a %s child whose end was orderly=%s is wanted=%s', (lifetime, orderly, wanted) => {
    expect(wantsRestart(lifetime, orderly)).toBe(wanted);
  });
});

describe('after the daemon ended', () => {
  test.each(['normal', 'safe'] as const)(
    'by a signal of somebody else, it is started again in the same mode (%s), and that counts as no crash',
    (mode) => {
      expect(afterEnd(mode, [1, 2], { code: 143, failure }, 3)).toEqual({
        kind: 'start',
        mode,
        afterMs: 250,
        failures: [1, 2],
      });
    },
  );

  test('in order, the supervisor ends in order', () => {
    expect(afterEnd('normal', [], { code: 0, failure }, 0)).toEqual({
      kind: 'exit',
      code: 0,
      failure: undefined,
    });
  });

  test.each(['normal', 'safe'] as const)(
    'because another holds the lock, the supervisor says so (%s)',
    (mode) => {
      expect(afterEnd(mode, [], { code: 75, failure }, 0)).toEqual({ kind: 'exit', code: 75, failure });
    },
  );

  test('with a problem of configuration, safe mode follows at once', () => {
    expect(afterEnd('normal', [1, 2], { code: 78, failure }, 9)).toEqual({
      kind: 'start',
      mode: 'safe',
      afterMs: 0,
      failures: [],
    });
  });

  test('by five crashes in a minute it is restarted ever later, the sixth opens the breaker', () => {
    let failures: readonly number[] = [];
    const delays: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      const next = afterEnd('normal', failures, crash, at);
      if (next.kind === 'start') ({ failures } = next);
      delays.push(next.kind === 'start' && next.mode === 'normal' ? next.afterMs : -1);
    }
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000]);
    expect(afterEnd('normal', failures, crash, 59_999)).toEqual({
      kind: 'start',
      mode: 'safe',
      afterMs: 0,
      failures: [],
    });
    expect(afterEnd('normal', failures, crash, 60_100)).toMatchObject({
      kind: 'start',
      mode: 'normal',
      afterMs: 250,
    });
  });

  test('three times in safe mode, whatever the code, the supervisor gives up with the reason', () => {
    const first = afterEnd('safe', [], crash, 0);
    expect(first).toEqual({ kind: 'start', mode: 'safe', afterMs: 250, failures: [0] });
    expect(afterEnd('safe', [0], { code: 78, failure }, 1)).toMatchObject({
      kind: 'start',
      mode: 'safe',
      afterMs: 500,
    });
    expect(afterEnd('safe', [0, 1], { code: null, failure }, 2)).toEqual({ kind: 'exit', code: 70, failure });
  });
});

describe('the command line', () => {
  test('has defaults for everything', () => {
    expect(readOptions([], '/x/daemon.js')).toEqual({
      tiedTo: undefined,
      daemonEntry: '/x/daemon.js',
      stopGraceMs: 10_000,
    });
    expect(
      readOptions(['--tied-to=3', '--daemon-entry=/a/../b.js', '--stop-grace-ms=5'], '/x/daemon.js'),
    ).toEqual({
      tiedTo: 3,
      daemonEntry: '/b.js',
      stopGraceMs: 5,
    });
  });

  test.each(['--tied-to=', '--tied-to=x', '--tied-to', '--daemon-entry=', '--else', 'word'])(
    'refuses %s',
    (arg) => {
      expect(() => readOptions([arg], '/x')).toThrow(expect.objectContaining({ code: 'supervisor-usage' }));
    },
  );
});
