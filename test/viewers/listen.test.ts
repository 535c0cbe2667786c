import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startBridge } from './support/bridge-under-test.ts';

async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each(['0.0.0.0', '::', '192.168.1.5', 'localhost'])(
  'The bridge refuses to listen on %s.',
  async (host) => {
    await expect(startBridge({ settings: { port: 0, host } })).rejects.toMatchObject({ code: 'bad_bind' });
  },
);

test('A taken port of the settings is replaced by a free one, and it says so.', async () => {
  const port = await takePort();
  const first = await startBridge({ settings: { port, host: '127.0.0.1' } });
  expect([first.port === port, (await first.ask({ path: '/api/v1/health' })).status]).toEqual([false, 200]);
});

test('The remembered port is used again when it is free, without a word when it is not.', async () => {
  const { bridge, port } = await startBridge({ keep: true });
  await bridge.close();
  const again = await startBridge({ rememberedPort: port });
  const third = await startBridge({ rememberedPort: port });
  expect([again.port === port, third.port === port]).toEqual([true, false]);
});
