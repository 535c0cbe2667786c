import { expect, test } from 'vitest';
import {
  addressesOf,
  bearerToken,
  checkHead,
  type RequestHead,
} from '../../electron/daemon/viewers/checks/request-checks.ts';
import { createFailureLimit } from '../../electron/daemon/viewers/checks/failure-limit.ts';

const addresses = addressesOf(4100, 'https://kairos.tail1234.ts.net');
const good: RequestHead = {
  method: 'POST',
  target: '/api/v1/messages',
  host: '127.0.0.1:4100',
  origin: 'http://127.0.0.1:4100',
  fetchSite: undefined,
  upgrade: false,
};

test.each<[string, Partial<RequestHead>, string | null]>([
  ['the address itself', {}, null],
  ['localhost', { host: 'localhost:4100' }, null],
  ['LOCALHOST in capitals', { host: 'LocalHost:4100' }, null],
  ['IPv6', { host: '[::1]:4100', origin: 'http://[::1]:4100' }, null],
  ['the public origin', { host: 'kairos.tail1234.ts.net', origin: 'https://kairos.tail1234.ts.net' }, null],
  ['no Host', { host: undefined }, 'bad_host'],
  ['a rebound name', { host: 'evil.example:4100' }, 'bad_host'],
  ['a rebound name with ours in it', { host: '127.0.0.1.evil.example:4100' }, 'bad_host'],
  ['another port', { host: '127.0.0.1:4101' }, 'bad_host'],
  ['no port', { host: '127.0.0.1' }, 'bad_host'],
  ['another loopback address', { host: '127.0.0.2:4100' }, 'bad_host'],
  ['0.0.0.0', { host: '0.0.0.0:4100' }, 'bad_host'],
  ['a foreign Origin', { origin: 'https://evil.example' }, 'bad_origin'],
  ['a null Origin', { origin: 'null' }, 'bad_origin'],
  ['a foreign Origin of a GET', { method: 'GET', origin: 'https://evil.example' }, 'bad_origin'],
  ['our Origin over TLS', { origin: 'https://127.0.0.1:4100' }, 'bad_origin'],
  ['an Origin of another port', { origin: 'http://127.0.0.1:4101' }, 'bad_origin'],
  ['a web extension', { origin: 'chrome-extension://abc' }, 'bad_origin'],
  ['no Origin for a change', { origin: undefined }, 'origin_missing'],
  ['no Origin for DELETE', { origin: undefined, method: 'DELETE' }, 'origin_missing'],
  ['no Origin for OPTIONS', { origin: undefined, method: 'OPTIONS' }, 'origin_missing'],
  ['no Origin for an upgrade', { origin: undefined, method: 'GET', upgrade: true }, 'origin_missing'],
  ['no Origin for a GET', { origin: undefined, method: 'GET' }, null],
  ['a GET of a typed address', { origin: undefined, method: 'GET', fetchSite: 'none' }, null],
  ['a GET of our own page', { origin: undefined, method: 'GET', fetchSite: 'same-origin' }, null],
  ['a GET of another site', { origin: undefined, method: 'GET', fetchSite: 'cross-site' }, 'bad_origin'],
  ['a GET of a sibling site', { origin: undefined, method: 'GET', fetchSite: 'same-site' }, 'bad_origin'],
  ['an unknown Sec-Fetch-Site', { origin: undefined, method: 'GET', fetchSite: 'moon' }, 'bad_origin'],
  ['a token in the query', { target: '/api/v1/home?token=abc' }, 'secret_in_query'],
  ['a token behind others', { target: '/api/v1/home?a=1&access_token=abc' }, 'secret_in_query'],
  ['a token spelled in percents', { target: '/api/v1/home?%74oken=abc' }, 'secret_in_query'],
  ['a broken percent beside a token', { target: '/api/v1/home?a=%&token=abc' }, 'secret_in_query'],
  ['a ticket in the query', { target: '/api/v1/ws?ticket=abc', upgrade: true }, 'secret_in_query'],
  ['a bare token field', { target: '/api/v1/home?token' }, 'secret_in_query'],
  ['a word that is searched for', { target: '/api/v1/search?q=my%20token%20is' }, null],
  ['bad Host comes before bad Origin', { host: 'x', origin: 'null' }, 'bad_host'],
])('%s', (_name, change, code) => {
  expect(checkHead({ ...good, ...change }, addresses)?.code ?? null).toBe(code);
});

test('Without a public origin only loopback names are known.', () => {
  const head = { ...good, host: 'kairos.tail1234.ts.net', origin: 'https://kairos.tail1234.ts.net' };
  expect(checkHead(head, addressesOf(4100))?.code).toBe('bad_host');
});

test.each([
  ['Bearer 0123456789abcdef', '0123456789abcdef'],
  ['bearer 0123456789abcdef', '0123456789abcdef'],
  ['Bearer ', undefined],
  ['Bearer short', undefined],
  ['Basic 0123456789abcdef', undefined],
  ['Bearer 0123456789abcdef 0123456789abcdef', undefined],
  [undefined, undefined],
])('The header %s holds the token %s.', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});

test('Twenty failures a minute are answered, the next ones are slowed down, per remote, until the minute is over.', () => {
  let now = 0;
  const limit = createFailureLimit({ monotonic: () => now });
  const first = Array.from({ length: 22 }, () => limit.fail('127.0.0.1'));
  const other = limit.fail('::1');
  now = 60_001;
  expect([first, other, limit.fail('127.0.0.1')]).toEqual([
    [...Array.from({ length: 20 }, () => false), true, true],
    false,
    false,
  ]);
});
