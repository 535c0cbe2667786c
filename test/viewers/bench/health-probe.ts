import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { type BurstTarget, timed } from './burst.ts';

// A thread of its own: the flood of the main thread must not be measured as the daemon's delay.
const target = workerData as BurstTarget;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times: number[] = [];
let running = true;
parentPort?.once('message', () => {
  running = false;
});
while (running) {
  times.push((await timed(target, agent, { method: 'GET', path: '/api/v1/health' })).ms);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
agent.destroy();
parentPort?.postMessage(times);
