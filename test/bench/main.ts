import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { distFolder, packageVersion, root } from '../support/real/checkout.ts';
import { measurePeers } from './peers/measure-peer.ts';
import { peersTable } from './peers/table.ts';
import { type Figure, passes } from './row.ts';
import { rows } from './rows.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    peers: { type: 'boolean' },
    list: { type: 'boolean' },
    json: { type: 'string' },
  },
});

function line(figure: Figure): string {
  const { name, value, unit, target, pass, better = 'lower', note } = figure;
  const sign = better === 'lower' ? '<=' : '>=';
  const limits = [
    target === undefined ? '' : `target ${sign} ${target}`,
    pass === undefined ? '' : `pass ${sign} ${pass}`,
  ].filter(Boolean);
  const verdict = passes(figure);
  const mark = verdict === undefined ? '    ' : verdict ? 'ok  ' : 'MISS';
  const shown = value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
  return `${mark} ${name.padEnd(58)} ${shown.padStart(10)} ${unit.padEnd(6)} ${limits.join(', ').padEnd(34)} ${note ?? ''}`.trimEnd();
}

/** What the figures stand on; `load` is how many programs wanted a core in the last minute. */
function machineNow() {
  const [load = 0] = loadavg();
  const [first] = cpus();
  return {
    cpus: cpus().length,
    model: first?.model ?? '',
    memory: totalmem(),
    node: process.version,
    load,
  };
}

async function main(): Promise<void> {
  if (values.list) {
    for (const { name, title } of rows) process.stdout.write(`${name.padEnd(18)} ${title}\n`);
    return;
  }
  const unknown = (values.only ?? []).filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) throw new Error(`there is no row ${unknown.join(', ')}; --list shows them`);
  const chosen = rows.filter(({ name }) => values.only === undefined || values.only.includes(name));
  const figures: Figure[] = [];
  const failures: string[] = [];
  for (const row of chosen) {
    process.stdout.write(`\n${row.title}\n`);
    try {
      for (const figure of await row.run()) {
        figures.push(figure);
        process.stdout.write(`  ${line(figure)}\n`);
      }
    } catch (error) {
      failures.push(row.name);
      process.stdout.write(
        `  MISS ${row.name} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    }
  }
  const machine = machineNow();
  const peers = values.peers ? await measurePeers((text) => process.stdout.write(`\n${text}`)) : new Map();
  process.stdout.write(`\n${peersTable(figures, peers).join('\n')}\n`);
  const missed = figures.filter((figure) => passes(figure) === false);
  process.stdout.write(
    `\n${figures.length} figures, ${missed.length + failures.length} missed; load ${machine.load.toFixed(1)} on ${machine.cpus} cores\n`,
  );
  const file = values.json ?? join(root, 'bench-results.json');
  writeFileSync(
    file,
    `${JSON.stringify({ version: packageVersion(), build: distFolder('dist'), machine, figures, peers: Object.fromEntries(peers), failures }, null, 2)}\n`,
  );
  if (missed.length + failures.length > 0) process.exitCode = 1;
}

await main();
