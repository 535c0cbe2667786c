import { createServer, type Server, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reachOf } from '../../../electron/worker/sandbox/proxy/allowed-host.ts';
import { connectAllowed } from '../../../electron/worker/sandbox/proxy/connect.ts';

describe('which hosts the rules allow', () => {
  const allow = [
    'example.com',
    '*.wild.org',
    'port.net:8443',
    '10.0.0.7',
    'localhost:3000',
    '[fd00::1]:80',
    'Upper.COM.',
  ];
  const deny = ['bad.wild.org', '*.evil.wild.org', 'example.com:22'];

  test.each([
    ['example.com', 443, 'public'],
    ['EXAMPLE.com.', 80, 'public'],
    ['example.com', 22, null],
    ['sub.example.com', 443, null],
    ['notexample.com', 443, null],
    ['example.com.evil.net', 443, null],
    ['upper.com', 443, 'public'],
    ['wild.org', 443, 'public'],
    ['a.b.wild.org', 443, 'public'],
    ['notwild.org', 443, null],
    ['bad.wild.org', 443, null],
    ['x.evil.wild.org', 443, null],
    ['port.net', 8443, 'public'],
    ['port.net', 443, null],
    ['10.0.0.7', 5432, 'named'],
    ['::ffff:10.0.0.7', 5432, 'named'],
    ['10.0.0.8', 5432, null],
    ['0xa000007', 80, 'named'],
    ['localhost', 3000, 'named'],
    ['localhost', 3001, null],
    ['127.0.0.1', 3000, null],
    ['fd00::1', 80, 'named'],
    ['[fd00::1]', 81, null],
    ['', 80, null],
  ])('%s:%i', (host, port, reach) => {
    expect(reachOf(host, port, { allow, deny })).toBe(reach);
  });

  test('a star is every public host, never this machine or its networks', () => {
    const reach = (host: string) => reachOf(host, 80, { allow: ['*'], deny: [] });
    expect(
      ['any.org', 'localhost', 'a.localhost', '127.0.0.1', '[::1]', '127.1', '::ffff:127.0.0.1'].map(reach),
    ).toEqual(['public', ...Array<null>(6).fill(null)]);
  });
});

describe('where a connection goes', () => {
  let server: Server;
  let port: number;
  const refused: string[] = [];
  beforeEach(async () => {
    server = createServer((socket) => socket.on('error', () => socket.destroy()).end('hello'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    refused.length = 0;
  });
  afterEach(() => void server.close());

  const terms = (
    allow: readonly string[],
    addresses: readonly string[],
    forbidden: readonly number[] = [],
  ) => ({
    rules: { allow, deny: [] },
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    forbiddenPorts: async () => forbidden,
    refused: (why: string) => void refused.push(why),
  });
  const problem = (host: string, ...more: Parameters<typeof terms>): Promise<string> =>
    connectAllowed(host, port, terms(...more)).then(
      (socket) => {
        socket.destroy();
        return 'connected';
      },
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    );

  test.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['192.168.1.1'],
    ['100.64.0.1'],
    ['::1'],
    ['fd00::1'],
    ['::ffff:127.0.0.1'],
    ['0.0.0.0'],
  ])('an allowed name that leads to %s is refused (DNS rebinding)', async (address) => {
    expect(await problem('name.example', ['name.example'], [address])).toBe(
      `refused: name.example:${port} leads into a private network`,
    );
  });

  test('also when only one of its addresses is private', async () => {
    expect(await problem('name.example', ['*'], ['93.184.216.34', '127.0.0.1'])).toContain('private network');
  });

  test('a service of this machine that is named with its port is reached, Kairos’s own never', async () => {
    const allow = [`localhost:${port}`, `127.0.0.1:${port}`];
    expect([
      await problem('localhost', allow, []),
      await problem('127.0.0.1', allow, []),
      await problem('localhost', allow, [], [port]),
      await problem('localhost', ['localhost', '*'], []),
    ]).toEqual([
      'connected',
      'connected',
      `refused: localhost:${port} belongs to Kairos itself`,
      `refused: localhost:${port} is not in sandbox.network.allow`,
    ]);
    expect(refused).toHaveLength(2);
  });
});
