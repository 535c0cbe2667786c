import { afterAll, expect, it } from 'vitest';
import { jailProblem } from './oracle/jail.ts';
import { makeWorld, removeWorld } from './oracle/world.ts';
import { productDecider } from './policy/product-decider.ts';
import { fuzz } from './search.ts';

const problem = jailProblem();
if (problem !== null) process.stdout.write(`skipped: the fuzz of shell rules (${problem})\n`);

const world = problem === null ? makeWorld() : null;
afterAll(() => world && removeWorld(world));

it.skipIf(world === null)(
  'Of 13,000 generated commands, decided under eleven rule sets, none does what its rules do not allow.',
  async () => {
    if (world === null) return;
    const report = await fuzz({ seed: 4, count: 13_000, world, decide: productDecider(world) });
    const told = report.findings.map(({ index, command, ruleSet, complaints }) => [
      index,
      ruleSet.name,
      command,
      complaints,
    ]);
    const least = Math.min(...Object.values(report.allowed));
    expect({
      findings: told,
      decisions: report.decisions >= 90_000,
      ran: report.ran >= 3_000,
      everySetAllowsSome: least >= 10,
    }).toEqual({ findings: [], decisions: true, ran: true, everySetAllowsSome: true });
  },
  600_000,
);
