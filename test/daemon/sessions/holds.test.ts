import { describe, expect, it } from 'vitest';
import type { CommitNotice } from '../../../electron/daemon/events/port.ts';
import { Holds } from '../../../electron/daemon/sessions/holds.ts';
import { StartBackoff } from '../../../electron/daemon/sessions/start-backoff.ts';
import { DaemonRig } from '../support/daemon-rig.ts';

const notice = (change: Partial<CommitNotice>): CommitNotice => ({
  events: [],
  sessions: new Set(),
  prompts: new Set(),
  work: false,
  meta: false,
  ...change,
});
const all = (): boolean => true;

describe('a held session', () => {
  it.each([
    ['is freed by a commit about it', notice({ sessions: new Set(['a']) }), false],
    ['is freed by a commit about everything', notice({ meta: true }), false],
    ['stays held by a commit about another', notice({ sessions: new Set(['b']) }), true],
    ['stays held by work elsewhere', notice({ work: true }), true],
  ])('%s', (_title, heard, held) => {
    const holds = new Holds();
    holds.hold('a');
    holds.heard(heard, all);
    expect(holds.has('a')).toBe(held);
  });

  it('rests whatever is committed until it is rested', () => {
    const holds = new Holds();
    holds.rest('a');
    holds.clear();
    holds.heard(notice({ meta: true, sessions: new Set(['a']) }), all);
    expect(holds.has('a')).toBe(true);
    holds.rested('a');
    expect(holds.has('a')).toBe(false);
  });

  it('has news with every commit about it or about everything', () => {
    const holds = new Holds();
    const news = [holds.news('a')];
    for (const change of [{ sessions: new Set(['a']) }, { meta: true }, { sessions: new Set(['a']) }]) {
      holds.heard(notice(change), all);
      news.push(holds.news('a'));
    }
    holds.heard(notice({ sessions: new Set(['b']) }), all);
    expect([new Set(news).size, holds.news('a')]).toEqual([4, news[3]]);
  });
});

describe('the pause after a failed start', () => {
  it('doubles up to ten seconds, and is over with the first success', async () => {
    const rig = new DaemonRig();
    const backoff = new StartBackoff(rig);
    const pauses: number[] = [];
    for (let failure = 0; failure < 8; failure += 1) {
      const before = rig.time.mono;
      backoff.failed('exit code 1', () => void pauses.push(rig.time.mono - before));
      expect(backoff.holds).toBe(true);
      await rig.pass(10_000);
      expect(backoff.holds).toBe(false);
    }
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    backoff.succeeded();
    expect(rig.problemCodes).toEqual([]);
  });
});
