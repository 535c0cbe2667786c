import { expect, test } from 'vitest';
import { sessionSummaryView } from '../../electron/daemon/viewers/session-summary-view.ts';
import { startBridge } from './support/bridge-under-test.ts';
import { makeSession } from './support/history.ts';

test('A session that sleeps by its own Sleep shows no pid, whoever has it; one with a worker that idles or works does.', async () => {
  const { store } = await startBridge();
  const { id } = await makeSession(store);
  const [summary] = await store.summaries({ ids: [id] });
  if (summary === undefined) throw new Error('no summary');
  const live = { pid: 7, leased: true, doing: null, background: 0 };
  const shown = [
    sessionSummaryView(summary, live),
    sessionSummaryView({ ...summary, sleepingUntil: 1 }, live),
    sessionSummaryView({ ...summary, pending: 1 }, live),
    sessionSummaryView(summary, { ...live, pid: null, leased: false }),
  ];
  expect(shown.map(({ state, pid }) => [state, pid])).toEqual([
    ['idle', 7],
    ['sleeping', null],
    ['working', 7],
    ['sleeping', null],
  ]);
});
