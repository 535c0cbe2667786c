import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { BridgeHttp } from '../../../renderer/connection/bridge-http.ts';
import type { ActContext } from '../../../renderer/store/context.ts';
import { createHistoryActs } from '../../../renderer/store/history-acts.ts';
import { liveKept, liveMost } from '../../../renderer/store/past.ts';
import { emptyWindow, type WindowState } from '../../../renderer/store/window-state.ts';
import { openSession } from '../../../shared/session/session-view.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { received, session, snapshot } from '../support/samples.ts';

const events = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) =>
    received(from + index, `m${from + index}`),
  );

/** A daemon with a session of `count` events that answers pages as the bridge does. */
function pager(count: number): { http: BridgeHttp; asked: string[] } {
  const asked: string[] = [];
  const page = (path: string) => {
    const query = new URL(path, 'http://x').searchParams;
    const limit = Number(query.get('limit'));
    const before = query.get('before');
    if (before !== null) {
      const last = Math.min(count, Number(before) - 1);
      return events(Math.max(1, last - limit + 1), last).toReversed();
    }
    const after = Number(query.get('after'));
    return events(after + 1, Math.min(count, after + limit));
  };
  const http = {
    signIn: () => undefined,
    load: () => Promise.reject(new Error('not here')),
    ask: ({ path }: { path: string }) => {
      asked.push(path);
      return Promise.resolve({ ok: true, value: { session: 's', events: page(path), more: true } });
    },
  } as unknown as BridgeHttp;
  return { http, asked };
}

function opened(count: number, loaded: number) {
  const { http, asked } = pager(count);
  const page = openSession(
    snapshot(events(count - loaded + 1, count), { older: true, session: session('s', { seq: count }) }),
    count,
  );
  const store = createStore<WindowState>()(() => ({ ...emptyWindow, pages: { s: page } }));
  const acts = createHistoryActs({ store, http, clock: new FakeClock() } as unknown as ActContext);
  const tick = () => new Promise((done) => setImmediate(done));
  return { store, acts, asked, tick };
}

describe('Going through a long history', () => {
  it('comes to the very first event with a bounded number of events in memory, and back to the end', async () => {
    const { store, acts, tick } = opened(8_000, liveMost);
    let most = 0;
    const first = () => store.getState().past.s?.events[0]?.seq ?? Number.POSITIVE_INFINITY;
    while (first() > 1) {
      acts.loadOlder('s');
      await tick();
      most = Math.max(most, store.getState().past.s?.events.length ?? 0);
    }
    const atTop = { first: first(), page: store.getState().pages.s?.events.length };
    while (store.getState().past.s !== undefined) {
      acts.loadNewer('s');
      await tick();
    }
    const page = store.getState().pages.s;
    const seqs = page?.events.map(({ seq }) => seq) ?? [];
    expect({
      most: most <= 1_500,
      atTop,
      whole: seqs.every((seq, index) => index === 0 || seq === (seqs[index - 1] ?? 0) + 1),
      last: seqs.at(-1),
    }).toEqual({ most: true, atTop: { first: 1, page: liveMost }, whole: true, last: 8_000 });
    acts.toNewest('s');
    expect(store.getState().pages.s?.events.length).toBe(liveKept);
  });

  it('shows the neighbourhood of an event that was looked for, and nothing is fetched for one that is there', async () => {
    const { store, acts, asked, tick } = opened(10_000, 100);
    acts.goTo('s', 4_000);
    await tick();
    const stretch = store.getState().past.s?.events ?? [];
    acts.goTo('s', 3_990);
    await tick();
    expect({
      goingTo: store.getState().goingTo,
      holds: [stretch[0]?.seq, stretch.at(-1)?.seq],
      asked: asked.length,
    }).toEqual({ goingTo: { session: 's', seq: 3_990 }, holds: [3_810, 4_059], asked: 1 });
  });

  it('does not come back to a place that was left while its page was on the way', async () => {
    const { store, acts, tick } = opened(10_000, liveMost);
    acts.loadOlder('s');
    acts.toNewest('s');
    await tick();
    expect({ past: store.getState().past, older: store.getState().older }).toEqual({ past: {}, older: {} });
  });
});
