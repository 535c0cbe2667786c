import fc from 'fast-check';
import { script } from './grammar/scripts.ts';
import { denied, unallowed } from './oracle/judge.ts';
import { runJailed } from './oracle/jail.ts';
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
  readonly ruleSets?: readonly RuleSet[];
}

/** Commands of one jail. */
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

/** Generates commands, decides on them, runs each that some rule set allows, and judges by what ran. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const sets = options.ruleSets ?? ruleSets;
  const commands = commandsOf(options.seed, options.count);
  const seen = new Set<string>();
  const allowed: Record<string, number> = Object.fromEntries(sets.map(({ name }) => [name, 0]));
  const findings: Finding[] = [];
  const running = new Set<Promise<void>>();
  let [ran, pending] = [0, [] as Candidate[]];
  const flush = async (): Promise<void> => {
    const batch = pending;
    pending = [];
    if (batch.length === 0) return;
    while (running.size >= parallel) await Promise.race(running);
    const one = judged(batch, options.world).then((found) => {
      findings.push(...found);
      running.delete(one);
    });
    running.add(one);
  };
  for (const [index, command] of commands.entries()) {
    if (seen.has(command) || command.includes('\0')) continue;
    seen.add(command);
    const allowing: RuleSet[] = [];
    for (const set of sets) if (await options.decide(command, set)) allowing.push(set);
    for (const { name } of allowing) allowed[name] = (allowed[name] ?? 0) + 1;
    if (allowing.length === 0) continue;
    ran += 1;
    pending.push({ index, command, allowing });
    if (pending.length < batchSize) continue;
    await flush();
    if (options.untilFound === true && findings.length > 0) break;
  }
  await flush();
  await Promise.all(running);
  findings.sort((a, b) => a.index - b.index);
  return { commands: commands.length, distinct: seen.size, ran, allowed, findings };
}

async function judged(batch: readonly Candidate[], world: World): Promise<readonly Finding[]> {
  const deeds = await deedsOf(
    batch.map(({ command }) => command),
    world,
  );
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
  let reader: { readonly first: number; readonly read: (line: string) => void } | null = null;
  await runJailed(world, commands, (line, first) => {
    if (reader?.first !== first)
      reader = { first, read: deedsReader(world.work, (at, deed) => deeds[first + at]?.push(deed)) };
    reader.read(line);
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
  const breaks = async (command: string): Promise<boolean> => {
    if (!(await options.decide(command, finding.ruleSet))) return false;
    const [deeds = []] = await deedsOf([command], options.world);
    const complaints = complaintsOn(deeds, finding.ruleSet, options.world);
    if (complaints.length > 0 && command.length <= best.command.length)
      best = { ...finding, command, complaints };
    return complaints.length > 0;
  };
  await fc.check(
    fc.asyncProperty(script, async (command) => !(await breaks(command))),
    {
      seed: options.seed,
      path: String(finding.index),
      interruptAfterTimeLimit: limitMs,
      markInterruptAsFailure: false,
    },
  );
  return best;
}
