import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allRoutes } from '../../electron/daemon/viewers/http/app.ts';
import type { RouteContext } from '../../electron/daemon/viewers/http/context.ts';
import type { Scope } from '../../shared/protocol/bridge.ts';
import { startBridge } from './support/bridge-under-test.ts';

const routes = allRoutes({} as RouteContext);

test('The README names every route with its scope, and no other.', () => {
  const readme = readFileSync(new URL('../../electron/daemon/viewers/README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| (GET|POST|DELETE) +\| (\S+) +\| (\w+) +\|/gm)].map(
    ([, method, path, scope]) => `${method} ${path} ${scope}`,
  );
  expect(rows.sort()).toEqual(routes.map(({ method, path, scope }) => `${method} ${path} ${scope}`).sort());
});

const bodies: Record<string, unknown> = {
  'POST /sessions/:session/rename': { name: 'n' },
  'POST /sessions/:session/mode': { mode: 'default' },
  'POST /sessions/:session/model': { model: 'offline' },
  'POST /sessions/:session/brief': { brief: true },
  'POST /models/test': { model: 'offline' },
  'POST /models/default': { model: 'offline' },
  'POST /usage/raise': { limit: 'day', by: 1 },
  'POST /messages': { text: 'hi', uuid: 'uuid-0001', session: 'nobody' },
  'POST /prompts/:prompt/verdict': { verdict: { behavior: 'deny' } },
  'POST /rules': { effect: 'deny', rule: 'Bash' },
  'POST /rules/explain': { tool: 'Bash', input: { kind: 'text', text: 'ls' }, dir: '/w' },
  'POST /trust': { dir: '/w', digest: 'd1', trusted: true },
  'POST /trust/revoke': { dir: '/w' },
  'POST /devices': { name: 'n', scopes: ['read'] },
  'POST /backup': { to: '/b' },
  'POST /tickets/redeem': { ticket: 'x', name: 'n' },
};

test('Every route refuses without a token, and with a device that lacks its scope.', async () => {
  const bridge = await startBridge();
  const outcome: unknown[] = [];
  const wanted: unknown[] = [];
  for (const scopes of [['read'], ['send'], ['approve']] as Scope[][]) {
    const { token } = await bridge.device(scopes);
    for (const { method, path, scope } of routes) {
      const name = `${method} ${path}`;
      const sent = { method, path: `/api/v1${path.replace(/:\w+/, 'nobody')}`, body: bodies[name] };
      const none = await bridge.ask({ ...sent, token: null });
      const some = await bridge.ask({ ...sent, token });
      const refused = new Set<unknown>(
        scope === 'ticket' ? ['not_allowed', 'too_many_failures'] : ['not_allowed'],
      );
      const free = scope === 'open' || scope === 'ticket';
      const allowed = free || scopes.includes(scope);
      outcome.push([
        name,
        scopes[0],
        !free && [401, 429].includes(none.status),
        refused.has(codeOf(some.json)),
      ]);
      // The ticket in the table is wrong: refused by the route itself.
      wanted.push([name, scopes[0], !free, scope === 'ticket' || !allowed]);
    }
  }
  expect(outcome).toEqual(wanted);
});

function codeOf(json: unknown): string | undefined {
  return (json as { error?: { code: string } } | undefined)?.error?.code;
}

test('Everything but reading is refused and logged when an agent asks.', async () => {
  const bridge = await startBridge({
    peerCheck: async () => ({ ok: false, reason: 'the process belongs to a worker' }),
  });
  const outcome: unknown[] = [];
  for (const { method, path } of routes) {
    const name = `${method} ${path}`;
    const sent = { method, path: `/api/v1${path.replace(/:\w+/, 'x')}`, body: bodies[name] };
    const { text } = await bridge.ask(sent);
    outcome.push([name, text.includes('may not be asked from here')]);
  }
  expect(outcome).toEqual(routes.map(({ method, path }) => [`${method} ${path}`, method !== 'GET']));
  expect(bridge.logged).toContain(
    JSON.stringify({
      route: '/prompts/:prompt/verdict',
      reason: 'the process belongs to a worker',
      message: 'refused: asked by a process that may not decide',
    }),
  );
});
