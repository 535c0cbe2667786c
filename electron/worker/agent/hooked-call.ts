import { canonicalJson } from '../../../shared/base/json.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import type { HookOutcome, HookWords } from '../../../shared/domain/hooks/combine.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { anySignal } from './any-signal.ts';
import type { OpenCall, Prepared } from './ports.ts';
import type { Work } from './work.ts';

/** A call after its PreToolUse hooks. `notes`: what the model reads with its result; `stop`: why the turn ends instead. */
export type HookedCall =
  | { readonly kind: 'prepared'; readonly prepared: Prepared; readonly notes: readonly string[] }
  | { readonly kind: 'stop'; readonly reason: string }
  | { readonly kind: 'cut' };

type HookFacts = NonNullable<CallFacts['hook']>;
type Prepare = (call: OpenCall) => Promise<Prepared>;

/** Of a rewritten input the model reads this many characters. */
const longestInput = 4_000;

/**
 * Runs the PreToolUse hooks of a call that could run and puts what they say into its facts. A rewritten input is prepared like
 * any other, so that facts, digest and preview are of what would run. While a call waits for a person its hooks are not run again.
 */
export async function hookedCall(
  work: Work,
  call: OpenCall,
  prepare: Prepare,
  stop: StopSignal,
): Promise<HookedCall> {
  const prepared = await prepare(call);
  if (prepared.kind === 'bad') return { kind: 'prepared', prepared, notes: [] };
  const outcome = await preToolUse(work, call, stop);
  if (outcome === 'cut') return { kind: 'cut' };
  if (outcome.stop !== null) return { kind: 'stop', reason: stopText(outcome.stop) };
  const { facts, problem } = await rewritten(call, prepared.facts, outcome, prepare);
  if (problem !== null) return { kind: 'prepared', prepared: { kind: 'bad', message: problem }, notes: [] };
  const notes = [
    ...(outcome.input === null ? [] : [changeNote(outcome.input.by, facts.input)]),
    ...outcome.context.map(wordsNote),
  ];
  const hook = withNote(hookFacts(outcome), facts, notes);
  const told = hook === null ? facts : { ...facts, hook };
  return { kind: 'prepared', prepared: { kind: 'ready', facts: told }, notes };
}

async function preToolUse(work: Work, call: OpenCall, stop: StopSignal): Promise<HookOutcome | 'cut'> {
  const { hooks, port, hookedCalls } = work;
  const known = hookedCalls.get(call.id);
  if (known?.version === hooks.version) return known.outcome;
  const { id, tool, input } = call;
  const { version } = hooks;
  const occasion = { event: 'PreToolUse', tool, input, call: id } as const;
  const outcome = await hooks.fire(occasion, anySignal(stop, port.interrupt));
  if (outcome !== 'cut') hookedCalls.set(id, { version, outcome });
  return outcome;
}

/** What the daemon does itself has its result there. A rewrite of it is no decision on it. */
function withNote(
  hook: HookFacts | null,
  { class: kind }: CallFacts,
  notes: readonly string[],
): HookFacts | null {
  if (kind !== 'local' || notes.length === 0) return hook;
  return { ...(hook ?? { behavior: 'allow', reason: '', by: '' }), note: notes.join('\n') };
}

/** What a hook denies is not looked at again. */
async function rewritten(
  call: OpenCall,
  facts: CallFacts,
  { input, verdict }: HookOutcome,
  prepare: Prepare,
): Promise<{ facts: CallFacts; problem: string | null }> {
  if (input === null || verdict?.behavior === 'deny') return { facts, problem: null };
  const again = await prepare({ ...call, input: input.value });
  if (again.kind === 'ready') {
    const changed = { by: input.by, asked: facts.subject.slice(0, longestInput) };
    return { facts: { ...again.facts, changed }, problem: null };
  }
  const problem = `Not run: the hook (${input.by}) changed the input of this call to one that cannot run. ${again.message}`;
  return { facts, problem };
}

function hookFacts({ verdict, answer }: HookOutcome): HookFacts | null {
  if (verdict === null && answer === null) return null;
  const behavior = verdict?.behavior ?? 'allow';
  return {
    behavior: behavior === 'defer' ? 'ask' : behavior,
    reason: verdict?.reason ?? '',
    by: verdict?.by ?? answer?.by ?? '',
    ...(behavior === 'defer' ? { deferred: true } : {}),
    ...(answer === null ? {} : { answer: answer.text, answeredBy: answer.by }),
  };
}

/** What becomes of a call's result through its hooks; `stop`: the turn ends after it. */
export interface HookedResult {
  readonly result: CallResult;
  readonly stop: string | null;
}

/** Runs the hooks of a call that ran: PostToolUse, and FileChanged for each file that it changed. What they say is added to the result. */
export async function hookedResult(
  work: Work,
  call: OpenCall,
  { facts, result, notes }: { facts: CallFacts; result: CallResult; notes: readonly string[] },
  stop: StopSignal,
): Promise<HookedResult> {
  const { hooks, port } = work;
  const until = anySignal(stop, port.interrupt);
  if (result.outcome === 'interrupted' || until.aborted)
    return { result: withNotes(result, notes), stop: null };
  const { outcome, output } = result;
  const post = {
    event: 'PostToolUse',
    tool: facts.tool,
    input: facts.input,
    call: call.id,
    response: { outcome, output },
  } as const;
  const changed = facts.access === 'write' && outcome === 'ok' ? facts.paths.slice(0, 1) : [];
  const [after] = await Promise.all([
    hooks.fire(post, until),
    ...changed.map((path) => hooks.fire({ event: 'FileChanged', path, tool: facts.tool }, until)),
  ]);
  if (after === undefined || after === 'cut') return { result: withNotes(result, notes), stop: null };
  const said = [...(after.block === null ? [] : [after.block]), ...after.context].map(wordsNote);
  const reason = after.stop === null ? null : stopText(after.stop);
  return { result: withNotes(result, [...notes, ...said]), stop: reason };
}

/** The result with what hooks say to the model below it. */
export function withNotes(result: CallResult, notes: readonly string[]): CallResult {
  if (notes.length === 0) return result;
  return { ...result, output: [result.output, ...notes].filter((text) => text !== '').join('\n') };
}

function wordsNote({ by, text }: HookWords): string {
  return `[hook (${by}): ${text}]`;
}

function changeNote(by: string, input: unknown): string {
  const json = canonicalJson(input);
  const shown = json.length <= longestInput ? json : `${json.slice(0, longestInput)}…`;
  return `[The hook (${by}) changed the input of this call; what ran is: ${shown}]`;
}

function stopText({ by, text }: HookWords): string {
  return `Stopped by the hook (${by}): ${text}`;
}
