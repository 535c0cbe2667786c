import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** Times in ms. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

/** Where a bridge is and how it is spoken to. */
export interface BurstTarget {
  readonly port: number;
  readonly token: string;
}

/** What a burst cost: `stored` of `sent` messages, requests a second, and how long `health` took meanwhile. */
export interface BurstFigures {
  readonly sent: number;
  readonly stored: number;
  readonly perSecond: number;
  readonly send: Spread;
  readonly health: Spread;
}

/** Nearest rank percentiles of some times. */
export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (fraction: number): number => sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0 };
}

/** One request; how long it took and its status. */
export function timed(
  target: BurstTarget,
  agent: Agent,
  sent: { method: 'GET' | 'POST'; path: string; body?: unknown },
): Promise<{ ms: number; status: number }> {
  const { port, token } = target;
  const text = sent.body === undefined ? '' : JSON.stringify(sent.body);
  const headers = {
    authorization: `Bearer ${token}`,
    origin: `http://127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(text)}`,
  };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const { method, path } = sent;
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ ms: performance.now() - began, status: answer.statusCode ?? 0 }));
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

/**
 * Sends `count` messages, to `sessions` sessions in turn, over `connections` connections at once, and asks for health every
 * 5 ms meanwhile.
 */
export async function burst(
  target: BurstTarget,
  { count, sessions = 1, connections = 64 }: { count: number; sessions?: number; connections?: number },
): Promise<BurstFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const probe = new Worker(new URL('./health-probe.ts', import.meta.url), { workerData: target });
  await once(probe, 'online');
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const body = {
        text: `message ${index}`,
        uuid: `burst-${index}-${began}`.replaceAll('.', '_'),
        session: `burst-${index % sessions}`,
      };
      return timed(target, agent, { method: 'POST', path: '/api/v1/messages', body });
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  probe.postMessage('stop');
  const [health] = (await once(probe, 'message')) as [number[]];
  agent.destroy();
  return {
    sent: count,
    stored: answers.filter(({ status }) => status === 201).length,
    perSecond: Math.round(count / seconds),
    send: spreadOf(answers.map(({ ms }) => ms)),
    health: spreadOf(health),
  };
}
