import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxBench, sandboxBench, skipReason } from './support.ts';

let bench: SandboxBench;
let server: Server;
let port: number;
beforeEach(async () => {
  bench = sandboxBench();
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end(`${request.method} ${request.url} ${request.headers.host}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  bench.remove();
});

/** A direct connection from inside, without any proxy. */
const direct = (host: string): string =>
  `python3 -c 'import socket; socket.create_connection(("${host}", ${port}), 3); print("reached")' 2>&1 | tail -1`;

describe.skipIf(skipReason !== null)('the network of a shut-in command', () => {
  test('there is none: the ports of this machine, Kairos’s among them, are those of an empty one', async () => {
    expect(await bench.out(direct('127.0.0.1'))).toBe(
      'ConnectionRefusedError: [Errno 111] Connection refused',
    );
    expect(await bench.out(direct('10.1.2.3'))).toBe('OSError: [Errno 101] Network is unreachable');
    expect(await bench.out('ls /sys/class/net; cat /proc/net/dev | grep -c :')).toContain('1');
  });

  test('a service of this machine that a rule names with its port is where it is outside; no other is', async () => {
    const config = { allow: [`localhost:${port}`] };
    const url = `http://127.0.0.1:${port}`;
    expect(await bench.out(`curl -sS -d x ${url}/a; echo; curl -sS localhost:${port}/b`, { config })).toBe(
      `POST /a 127.0.0.1:${port}\nGET /b localhost:${port}`,
    );
    const { output, end } = await bench.run(
      `curl -sS --noproxy '' http://127.0.0.1:9/; curl -sS --noproxy '' --socks5-hostname 127.0.0.1:3128 http://localhost:9 2>&1`,
      { config },
    );
    expect([output.split('\n')[0], end.notes]).toEqual([
      'The sandbox of Kairos: 127.0.0.1:9 is not in sandbox.network.allow.',
      [
        'the sandbox refused: 127.0.0.1:9 is not in sandbox.network.allow',
        'the sandbox refused: localhost:9 is not in sandbox.network.allow',
      ],
    ]);
  });

  test('what is not allowed is refused with a sentence, over HTTP, HTTPS and SOCKS, and the result tells it', async () => {
    const { output, end } = await bench.run(
      'curl -sS http://a.example/; curl -sS https://b.example/ 2>&1; curl -sS -x socks5h://127.0.0.1:3128 http://c.example/ 2>&1; curl -sS -m 2 http://169.254.169.254/latest',
      { config: { allow: ['only.example'] } },
    );
    expect(output).toContain('The sandbox of Kairos: a.example:80 is not in sandbox.network.allow.');
    expect(end.notes).toEqual(
      ['a.example:80', 'b.example:443', 'c.example:80', '169.254.169.254:80'].map(
        (host) => `the sandbox refused: ${host} is not in sandbox.network.allow`,
      ),
    );
  });
});

describe.skipIf(skipReason !== null)('the way to the network', () => {
  test('the bridge of Kairos is refused even where a rule names its port', async () => {
    writeFileSync(join(bench.home, 'daemon.json'), JSON.stringify({ port }));
    const { output, end } = await bench.run(`curl -sS http://localhost:${port}/`, {
      config: { allow: [`localhost:${port}`] },
    });
    expect([output.includes('GET'), end.notes]).toEqual([
      false,
      [`the sandbox refused: localhost:${port} belongs to Kairos itself`],
    ]);
  });

  test('the way to the proxy cannot be taken over: no tracing of it, no socket to what is behind it', async () => {
    const config = { allow: ['only.example'] };
    const tries = [
      'pid=$(pgrep -f TCP-LISTEN | head -1); ls /proc/$pid/root/ /proc/$pid/fd/0 2>&1 | grep -c denied',
      'cat /proc/$pid/environ /proc/$pid/mem 2>&1 | grep -c denied',
      'python3 -c "import ctypes; l=ctypes.CDLL(None,use_errno=True); print(l.ptrace(16,$pid,0,0), ctypes.get_errno())"',
      'python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect(\'/run/kairos-proxy.sock\'); print(1)" 2>&1 | tail -1',
      'socat - UNIX-CONNECT:/run/kairos-proxy.sock 2>&1 | grep -c "not permitted"',
    ];
    expect((await bench.out(tries.join('; '), { config })).split('\n')).toEqual([
      '2',
      '2',
      '-1 1',
      'PermissionError: [Errno 1] Operation not permitted',
      '1',
    ]);
  });
});
