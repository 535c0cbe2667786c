import { expect, test } from 'vitest';
import { startBridge } from './support/bridge-under-test.ts';
import { makeSession } from './support/history.ts';
import { send } from './support/http-client.ts';

test('A device that may send gives a session a file under a plain name, with its bytes as they are.', async () => {
  const bridge = await startBridge();
  const { id: session } = await makeSession(bridge.store);
  const { token } = await bridge.device(['read', 'send']);
  const { token: reader } = await bridge.device(['read']);
  const post = async (name: string, as: string, to = session) => {
    const { status, json } = await send(bridge.port, {
      method: 'POST',
      path: `/api/v1/sessions/${to}/files?name=${encodeURIComponent(name)}`,
      headers: {
        authorization: `Bearer ${as}`,
        origin: `http://127.0.0.1:${bridge.port}`,
        'content-type': 'application/octet-stream',
      },
      body: '{"not": "json"',
    });
    return [status, (json as { error?: { code: string } }).error?.code ?? 'taken'];
  };
  expect([
    await post('a.txt', token),
    await post('../a.txt', token),
    await post('', token),
    await post('a.txt', reader),
    await post('a.txt', token, 'nobody'),
    bridge.calls.filter((call) => 'takeFile' in (call as object)),
  ]).toEqual([
    [201, 'taken'],
    [400, 'bad_input'],
    [400, 'bad_input'],
    [403, 'not_allowed'],
    [404, 'not_found'],
    [{ takeFile: session, name: 'a.txt', bytes: 14 }],
  ]);
});

test('A search is of all sessions, or of one by its id or name.', async () => {
  const bridge = await startBridge();
  const { id: session } = await makeSession(bridge.store);
  const found = async (query: string) => (await bridge.ask({ path: `/api/v1/search?q=x${query}` })).json;
  expect([await found(''), await found(`&session=${session}`), await found('&session=nobody')]).toEqual([
    [{ session: 'ses_1', seq: 1, at: 1, text: 'x 50' }],
    [{ session, seq: 1, at: 1, text: 'x 50' }],
    { error: expect.objectContaining({ code: 'not_found' }) },
  ]);
});
