import { expect, test } from 'vitest';
import { startBridge } from './support/bridge-under-test.ts';
import { answerTurn, makeSession } from './support/history.ts';

test('A viewer that follows a session sees a message and its answer.', async () => {
  const { ask, viewer, store } = await startBridge();
  expect((await ask({ path: '/api/v1/health', token: null })).json).toEqual({ ok: true });
  const sent = await ask({
    method: 'POST',
    path: '/api/v1/messages',
    body: { text: 'hi', uuid: 'uuid-0001', session: 'shop' },
  });
  expect(sent.json).toMatchObject({ state: 'working' });
  const { session } = sent.json as { session: string };
  const client = await viewer();
  client.send({ type: 'subscribe', topic: `session:${session}` });
  client.send({ type: 'subscribe', topic: 'home' });
  await client.until('snapshot', ({ topic }) => topic === 'home');
  await answerTurn(store, session, 'hello');
  await client.until('event', ({ event }) => event.type === 'message.settled');
  await makeSession(store, 'b');
  await client.until('change', ({ change }) => change.type === 'session' && change.session.name === 'b');
});
