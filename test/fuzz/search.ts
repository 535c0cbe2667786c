import fc from 'fast-check';
import { script } from './grammar/scripts.ts';
import { runJailed } from './oracle/jail.ts';
import { denied, unallowed } from './oracle/judge.ts';
import { type SaidRules, saidBy } from './oracle/rule-words.ts';
import { type Deed, deedsReader } from './oracle/trace.ts';
import type { World } from './oracle/world.ts';
import { type RuleSet, ruleSets } from './policy/rule-sets.ts';

/** True where the product would run the command without asking. */
export type Decider = (command: string, ruleSet: RuleSet) => Promise<boolean>;

/** A promise that was broken: the command, the rules it was allowed under, and what it did, one sentence each. */
export interface Finding {
  readonly index: number;
  readonly command: string;
  readonly ruleSet: RuleSet;
  readonly complaints: readonly string[];
}

/** What a search did. */
export interface FuzzReport {
  readonly commands: number;
  readonly distinct: number;
  readonly decisions: number;
  /** Distinct commands that at least one rule set allows; each of them was run. */
  readonly ran: number;
  /** How many of the distinct ones each rule set allows. */
  readonly allowed: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

export interface FuzzOptions {
  readonly seed: number;
  readonly count: number;
  readonly decide: Decider;
  readonly world: World;
  /** Gives up after the first batch with findings. */
  readonly untilFound?: boolean;
  /** Commands of one jail. */
  readonly batch?: number;
}

/** A jail costs 0.2 s to make. */
const batchSize = 250;
/** Jails at once. */
const parallel = 2;

/** The commands of a seed, in their order, the same every time. */
export function commandsOf(seed: number, count: number): readonly string[] {
  return fc.sample(script, { seed, numRuns: count });
}

interface Candidate {
  readonly index: number;
  readonly command: string;
  readonly allowing: readonly RuleSet[];
}

/** Generates commands, decides on them under every rule set, runs each that some rule set allows, and judges by what ran. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const commands = commandsOf(options.seed, options.count);
  const allowed: Record<string, number> = Object.fromEntries(ruleSets.map(({ name }) => [name, 0]));
  const runs = startRuns(options);
  const seen = new Set<string>();
  let ran = 0;
  for (const [index, command] of commands.entries()) {
    // No program can be given a NUL; the tool refuses it before anything is decided.
    if (seen.has(command) || command.includes('\0')) continue;
    seen.add(command);
    const allowing = await allowingSets(command, options.decide);
    for (const { name } of allowing) allowed[name] = (allowed[name] ?? 0) + 1;
    if (allowing.length === 0) continue;
    ran += 1;
    await runs.add({ index, command, allowing });
    if (options.untilFound === true && runs.findings.length > 0) break;
  }
  await runs.end();
  const findings = runs.findings.toSorted((a, b) => a.index - b.index);
  const [distinct, decisions] = [seen.size, seen.size * ruleSets.length];
  return { commands: commands.length, distinct, decisions, ran, allowed, findings };
}

async function allowingSets(command: string, decide: Decider): Promise<readonly RuleSet[]> {
  const found: RuleSet[] = [];
  for (const set of ruleSets) if (await decide(command, set)) found.push(set);
  return found;
}

/** Gathers candidates and runs them by the batch, some batches at once. */
function startRuns({ world, batch = batchSize }: FuzzOptions): {
  readonly findings: Finding[];
  add(candidate: Candidate): Promise<void>;
  end(): Promise<void>;
} {
  const findings: Finding[] = [];
  const running = new Set<Promise<void>>();
  let pending: Candidate[] = [];
  const flush = async (): Promise<void> => {
    const taken = pending;
    pending = [];
    if (taken.length === 0) return;
    while (running.size >= parallel) await Promise.race(running);
    const run = judged(taken, world).then((found) => {
      findings.push(...found);
      running.delete(run);
    });
    running.add(run);
  };
  return {
    findings,
    async add(candidate) {
      pending.push(candidate);
      if (pending.length >= batch) await flush();
    },
    async end() {
      await flush();
      await Promise.all(running);
    },
  };
}

async function judged(batch: readonly Candidate[], world: World): Promise<readonly Finding[]> {
  const commands = batch.map(({ command }) => command);
  const deeds = await deedsOf(commands, world);
  return batch.flatMap(({ allowing, ...candidate }, at) =>
    allowing.flatMap((ruleSet): Finding[] => {
      const complaints = complaintsOn(deeds[at] ?? [], ruleSet, world);
      return complaints.length === 0 ? [] : [{ ...candidate, ruleSet, complaints }];
    }),
  );
}

/** What every command did, run one after the other. */
export async function deedsOf(
  commands: readonly string[],
  world: World,
): Promise<ReadonlyArray<readonly Deed[]>> {
  const deeds: Deed[][] = commands.map(() => []);
  const readers = new Map<number, (line: string) => void>();
  await runJailed(world, commands, (line, first) => {
    const read = readers.get(first) ?? deedsReader(world.work, (at, deed) => deeds[first + at]?.push(deed));
    readers.set(first, read);
    read(line);
  });
  return deeds;
}

const known = new Map<string, SaidRules>();

function said(texts: readonly string[]): SaidRules {
  const key = texts.join('\n');
  const found = known.get(key) ?? saidBy(texts);
  known.set(key, found);
  return found;
}

/** What a rule set had not allowed, or had stopped, among the deeds of a command. */
export function complaintsOn(deeds: readonly Deed[], ruleSet: RuleSet, world: World): readonly string[] {
  if (ruleSet.promise === 'stopped') return denied(deeds, said([...ruleSet.deny, ...ruleSet.ask]), world);
  const { commands, writable } = said(ruleSet.allow);
  const edits = ruleSet.mode === 'acceptEdits' ? [...writable, ''] : writable;
  return unallowed(deeds, { commands, writable: edits }, world);
}

/** The shortest command of the same kind that still breaks the promise, found within the time. */
export async function shrunk(finding: Finding, options: FuzzOptions, limitMs: number): Promise<Finding> {
  let best = finding;
  const holds = async (command: string): Promise<boolean> => {
    if (!(await options.decide(command, finding.ruleSet))) return true;
    const [deeds = []] = await deedsOf([command], options.world);
    const complaints = complaintsOn(deeds, finding.ruleSet, options.world);
    if (complaints.length === 0) return true;
    if (command.length <= best.command.length) best = { ...finding, command, complaints };
    return false;
  };
  await fc.check(fc.asyncProperty(script, holds), {
    seed: options.seed,
    path: String(finding.index),
    interruptAfterTimeLimit: limitMs,
    markInterruptAsFailure: false,
  });
  return best;
}
