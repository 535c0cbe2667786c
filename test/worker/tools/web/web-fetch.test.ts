import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pageText } from '../../../../electron/worker/tools/web/page-text.ts';
import { isPublicAddress } from '../../../../electron/worker/tools/web/public-address.ts';
import { type WebPorts, webFetchTool } from '../../../../electron/worker/tools/web/web-fetch.ts';
import { systemClock } from '../../../../electron/node/clock.ts';
import { type ToolBench, toolBench } from '../../support/tool-bench.ts';

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array };

let bench: ToolBench;
let server: Server;
let port: number;
let pages: Record<string, Answer>;
let asked: string[];

beforeEach(async () => {
  bench = await toolBench();
  pages = {};
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    const {
      status = 200,
      headers = { 'content-type': 'text/plain' },
      body = '',
    } = pages[request.url ?? ''] ?? {
      status: 404,
      body: 'no such page',
    };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  bench.remove();
  server.closeAllConnections();
  server.close();
});

/** Every name leads to this test's server. */
const here: WebPorts = {
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: (address) => address === '127.0.0.1',
};

async function fetched(url: string, ports: WebPorts = here, signal = new AbortController().signal) {
  const tool = webFetchTool(ports);
  const prepared = await tool.prepare({ url }, bench.context);
  if (prepared.kind === 'bad') return prepared.message;
  return tool.execute(prepared.facts, bench.context, signal, 'c1');
}
const ports = { clock: systemClock, signal: new AbortController().signal };
const page = (path: string) => `http://site.example:${port}${path}`;
const ok = (output: string) => ({ outcome: 'ok', output });
const error = (output: string) => ({ outcome: 'error', output });

describe('pages', () => {
  test('HTML comes as Markdown without scripts, styles, navigation and forms', async () => {
    pages['/'] = {
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: '<html><head><title>Töst</title><style>x{}</style></head><body><nav>menu</nav><h2>Part</h2><p>Some <b>bold</b> <a href="/x">link</a></p><script>alert(1)</script><img src=x alt="a cat"><pre><code>let x</code></pre></body></html>',
    };
    expect(await fetched(page('/'))).toEqual(
      ok('# Töst\n\n## Part\n\nSome **bold** [link](/x)\n\n[picture: a cat]\n\n```\nlet x\n```'),
    );
  });

  test('text, JSON, packed bodies and other charsets are read; binary is refused', async () => {
    pages['/t'] = { body: 'plain' };
    pages['/j'] = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
    pages['/z'] = {
      headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      body: gzipSync('packed'),
    };
    pages['/l'] = {
      headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
      body: Buffer.from([0xe4]),
    };
    pages['/b'] = { headers: { 'content-type': 'application/zip' }, body: Buffer.from([0]) };
    pages['/broken'] = {
      headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      body: 'not packed',
    };
    expect(await Promise.all(['/t', '/j', '/z', '/l', '/b'].map((path) => fetched(page(path))))).toEqual([
      ok('plain'),
      ok('{"a":1}'),
      ok('packed'),
      ok('ä'),
      error('WebFetch: the page is application/zip, which is not text; download it with Bash: curl.'),
    ]);
    expect(await fetched(page('/broken'))).toMatchObject({ outcome: 'error' });
  });

  test('an error page is told as one; an empty page says so', async () => {
    pages['/empty'] = {};
    expect([await fetched(page('/none')), await fetched(page('/empty'))]).toEqual([
      error('[status 404]\nno such page'),
      ok(`[${page('/empty')} has no text]`),
    ]);
  });

  test('a long page is cut and kept whole in a file; one beyond 10 MB is refused', async () => {
    pages['/long'] = { body: 'x'.repeat(50_000) };
    pages['/huge'] = {
      body: gzipSync('y'.repeat(11 * 1024 * 1024)),
      headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
    };
    const long = await fetched(page('/long'));
    if (typeof long === 'string' || long.spill === undefined) throw new Error(JSON.stringify(long));
    expect(long.output).toMatch(
      /\n\[cut after 40000 of 50000 characters; the whole output is in .*: Read it with offset\]$/,
    );
    expect(readFileSync(long.spill, 'utf8')).toBe('x'.repeat(50_000));
    expect(await fetched(page('/huge'))).toEqual(error('WebFetch: the page is larger than 10 MB.'));
  });
});

describe('redirects', () => {
  test('on the same host they are followed, to another host they are named', async () => {
    pages['/a'] = { status: 302, headers: { location: '/b' } };
    pages['/b'] = { body: 'arrived' };
    pages['/away'] = { status: 301, headers: { location: 'https://other.example/page' } };
    pages['/loop'] = { status: 302, headers: { location: '/loop' } };
    pages['/odd'] = { status: 302, headers: { location: 'file:///etc/passwd' } };
    expect(await Promise.all(['/a', '/away', '/loop', '/odd'].map((path) => fetched(page(path))))).toEqual([
      ok('arrived'),
      ok(
        'The page redirects to another host: https://other.example/page\nCall WebFetch with that address to read it.',
      ),
      error(`WebFetch: "site.example:${port}" redirects more than 10 times.`),
      error(`WebFetch: "site.example:${port}" redirects to an address that is not http or https.`),
    ]);
  });
});

describe('what is not the public internet', () => {
  const inside = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '4000::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'not an address',
  ];
  test.each(inside)('%s is refused', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
  test('public addresses are reached', () => {
    expect(['8.8.8.8', '2606:4700:4700::1111'].map(isPublicAddress)).toEqual([true, true]);
  });

  test('literal addresses in every spelling are refused before anything is sent', async () => {
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:7f00:1]',
      'localhost',
      '169.254.169.254',
    ];
    const real = webFetchTool();
    expect(real.name).toBe('WebFetch');
    const ports: WebPorts = {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isAllowed: isPublicAddress,
    };
    for (const host of hosts) {
      expect(await fetched(`http://${host}:${port}/`, ports)).toMatchObject({
        outcome: 'error',
        output: expect.stringContaining('is not on the public internet'),
      });
    }
    expect(asked).toEqual([]);
  });

  test('a name with one private address among public ones is refused; the answer is asked for once (rebinding)', async () => {
    let answers = 0;
    const mixed: WebPorts = {
      resolve: async () => [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
      isAllowed: isPublicAddress,
    };
    const rebinding: WebPorts = {
      resolve: async () => {
        answers += 1;
        return [{ address: answers === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
      },
      isAllowed: (address) => address === '127.0.0.1',
    };
    pages['/r'] = { body: 'first answer' };
    expect([await fetched(page('/r'), mixed), await fetched(page('/r'), rebinding), answers]).toEqual([
      error(
        'WebFetch: "site.example" is not on the public internet (10.0.0.1): WebFetch reaches nothing on this machine or its networks.',
      ),
      ok('first answer'),
      1,
    ]);
  });

  test('a redirect on the same name is checked again', async () => {
    pages['/again'] = { status: 302, headers: { location: '/there' } };
    let answers = 0;
    const turning: WebPorts = {
      resolve: async () => {
        answers += 1;
        return [{ address: answers === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
      },
      isAllowed: (address) => address === '127.0.0.1',
    };
    expect(await fetched(page('/again'), turning)).toMatchObject({
      outcome: 'error',
      output: expect.stringContaining('169.254.169.254'),
    });
  });

  test.each([
    ['nonsense', 'WebFetch: the address is not a complete address such as https://example.com/page'],
    ['file:///etc/passwd', 'WebFetch: the address is not http or https'],
    ['http://a:b@example.com/', 'WebFetch: the address contains a user name or password'],
  ])('%s is bad input', async (url, message) => {
    expect(await fetched(url)).toBe(message);
  });
});

describe('trouble', () => {
  test('an unknown host, a refused connection and an interrupt are told', async () => {
    const unknown: WebPorts = { ...here, resolve: async () => Promise.reject(new Error('ENOTFOUND')) };
    const stopped = new AbortController();
    stopped.abort();
    server.close();
    server.closeAllConnections();
    expect(await fetched('http://nowhere.example/', unknown)).toEqual(
      error('WebFetch: the host "nowhere.example" cannot be found.'),
    );
    expect(await fetched(page('/'))).toMatchObject({
      outcome: 'error',
      output: expect.stringContaining('does not answer'),
    });
    expect(await fetched(page('/'), here, stopped.signal)).toEqual({
      outcome: 'interrupted',
      output: 'Stopped by an interrupt.',
    });
  });
});

test('A page of titles that never end is read in a moment.', async () => {
  const body = Buffer.from(`<p>text</p>${'<title'.repeat(400_000)}`);
  expect(await pageText({ type: 'text/html', body }, ports)).toEqual({ text: 'text', note: null });
}, 5_000);
