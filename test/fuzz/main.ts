import { parseArgs } from 'node:util';
import { commandsOf, type Finding, fuzz, type FuzzOptions, type FuzzReport, shrunk } from './search.ts';
import { jailProblem } from './oracle/jail.ts';
import { makeWorld, removeWorld } from './oracle/world.ts';
import { productDecider } from './policy/product-decider.ts';

const usage = 'Use: npm run fuzz:shell -- [--commands N] [--from SEED] [--show N]\n';
const options = {
  commands: { type: 'string', default: '100000' },
  from: { type: 'string', default: '1' },
  show: { type: 'string' },
} as const;
/** Of the findings so many are made shorter and told. */
const mostTold = 20;
const shrinkMs = 20_000;

process.exitCode = await main();

async function main(): Promise<number> {
  const values = readArguments();
  if (values === null) return 2;
  if (values.show !== null) return show(values.from, values.show);
  const problem = jailProblem();
  if (problem !== null) {
    say(`fuzz: skipped, ${problem}`);
    return 0;
  }
  return search(values.from, values.commands);
}

function readArguments(): { commands: number; from: number; show: number | null } | null {
  try {
    const { values } = parseArgs({ options });
    const [commands, from, shown] = [values.commands, values.from, values.show ?? '0'].map(Number);
    if (!isCount(commands) || !isCount(from) || !isCount(shown))
      throw new Error('Numbers are whole and not negative.');
    return { commands, from, show: values.show === undefined ? null : shown };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return null;
  }
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && (value ?? -1) >= 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function show(seed: number, count: number): number {
  for (const command of commandsOf(seed, count)) say(JSON.stringify(command));
  return 0;
}

async function search(seed: number, count: number): Promise<number> {
  const world = makeWorld();
  try {
    const started = performance.now();
    const search: FuzzOptions = { seed, count, world, decide: productDecider(world) };
    const report = await fuzz(search);
    tell(report, (performance.now() - started) / 1000);
    for (const finding of firstOfEach(report.findings)) tellFinding(await shrunk(finding, search, shrinkMs));
    return report.findings.length === 0 ? 0 : 1;
  } finally {
    removeWorld(world);
  }
}

function tell({ commands, distinct, decisions, ran, allowed, findings }: FuzzReport, seconds: number): void {
  const share = (part: number): string => `${part} (${((100 * part) / Math.max(1, distinct)).toFixed(1)} %)`;
  say(`fuzz: ${commands} commands, ${distinct} of them different, ${decisions} decisions`);
  for (const [name, part] of Object.entries(allowed)) say(`  allowed by "${name}": ${share(part)}`);
  say(`fuzz: ${share(ran)} ran, ${findings.length} findings, ${seconds.toFixed(0)} s`);
}

/** One of those that did the same under the same rules. */
function firstOfEach(findings: readonly Finding[]): readonly Finding[] {
  const kinds = new Map<string, Finding>();
  for (const finding of findings) {
    const kind = `${finding.ruleSet.name} ${finding.complaints[0] ?? ''}`
      .replaceAll(/fuzz-\w+|\d+/g, '')
      .slice(0, 90);
    if (!kinds.has(kind)) kinds.set(kind, finding);
  }
  return [...kinds.values()].slice(0, mostTold);
}

function tellFinding({ index, command, ruleSet, complaints }: Finding): void {
  say(`finding ${index}, ${ruleSet.name}: ${JSON.stringify(command)}`);
  for (const complaint of complaints.slice(0, 3)) say(`  ${complaint}`);
}
