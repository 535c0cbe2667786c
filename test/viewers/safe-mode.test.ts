import { expect, test } from 'vitest';
import { allRoutes } from '../../electron/daemon/viewers/http/app.ts';
import type { RouteContext } from '../../electron/daemon/viewers/http/context.ts';
import { startBridge } from './support/bridge-under-test.ts';

const works = ['/health', '/status', '/home', '/doctor', '/daemon/stop', '/tickets', '/tickets/redeem'];

test('In safe mode nothing that is stored is answered with "not there": 503 with the reason.', async () => {
  const bridge = await startBridge({ safe: 'the store is damaged' });
  const refused: string[] = [];
  for (const { method, path } of allRoutes({} as RouteContext)) {
    const { status, text } = await bridge.ask({
      method,
      path: `/api/v1${path.replace(/:\w+/, 'x')}`,
      body: {},
    });
    if (status === 503 && text.includes('safe_mode') && text.includes('the store is damaged'))
      refused.push(path);
  }
  const stored = allRoutes({} as RouteContext).flatMap(({ path }) => (works.includes(path) ? [] : [path]));
  expect(refused).toEqual(stored);
});
