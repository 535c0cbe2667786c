import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type BurstFigures, type BurstTarget, burst, type Spread, spreadOf, timed } from './burst.ts';

/** What the bridge costs over a store on disk: HTTP alone, no worker runs. */
export interface BridgeFigures {
  readonly burst: BurstFigures;
  readonly status: Spread;
  readonly newestPage: Spread;
  readonly pageBack: Spread;
  readonly home: Spread;
  /** 1,000 requests at once over 64 connections: from the first one's start, so waiting counts. */
  readonly thousandAtOnce: Spread;
}

/** Starts a bridge with 1,000 sessions and one of 100,000 events in a process of its own, measures it, stops it. */
export async function benchBridge(messages = 10_000): Promise<BridgeFigures> {
  const script = fileURLToPath(new URL('./bridge-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, '1000', '100000'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const target = JSON.parse(String(line)) as BurstTarget & { readonly long: string };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const page = `/api/v1/sessions/${target.long}/events`;
  const measure = async (path: (count: number) => string): Promise<Spread> => {
    const times: number[] = [];
    for (let count = 0; count < 200; count += 1) {
      times.push((await timed(target, agent, { method: 'GET', path: path(count) })).ms);
    }
    return spreadOf(times.slice(20));
  };
  const figures = {
    status: await measure(() => '/api/v1/status'),
    newestPage: await measure(() => page),
    pageBack: await measure((count) => `${page}?before=${90_000 - count * 200}`),
    home: await measure(() => '/api/v1/home'),
    thousandAtOnce: await atOnce(target, 1_000),
    burst: await burst(target, { count: messages }),
  };
  agent.destroy();
  child.stdin.end();
  await once(child, 'exit');
  return figures;
}

async function atOnce(target: BurstTarget, count: number): Promise<Spread> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const asked = Array.from({ length: count }, () =>
    timed(target, agent, { method: 'GET', path: '/api/v1/rules' }),
  );
  const times = (await Promise.all(asked)).map(({ ms }) => ms);
  agent.destroy();
  return spreadOf(times);
}

if (import.meta.filename === process.argv[1]) {
  process.stdout.write(`${JSON.stringify(await benchBridge(), null, 2)}\n`);
}
