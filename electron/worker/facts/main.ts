import { text } from 'node:stream/consumers';
import { errorMessage } from '../../../shared/base/errors.ts';
import { type FactsAnswer, factsJobSchema } from '../../../shared/protocol/facts-job.ts';
import { systemClock } from '../../node/clock.ts';
import { createSystemIds } from '../../node/ids.ts';
import { gatherFacts } from './gather-facts.ts';

/** Reads a job, prints the facts of a call that nobody makes, and ends: what `kairos rules explain` decides on. */
async function main(): Promise<void> {
  process.title = 'kairos-facts';
  process.umask(0o077);
  const job = factsJobSchema.parse(JSON.parse(await text(process.stdin)));
  const ports = { clock: systemClock, ids: createSystemIds(systemClock) };
  const answer = await gatherFacts(job, ports).catch((error: unknown): FactsAnswer => {
    return { kind: 'bad', message: `${job.tool}: ${errorMessage(error)}` };
  });
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

await main();
