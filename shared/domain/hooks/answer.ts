import * as z from 'zod/mini';
import { assertNever } from '../../base/assert-never.ts';
import { isObject } from '../../base/json.ts';
import { oneLine } from '../../base/visible-text.ts';
import type { HookEvent } from '../session-config.ts';

/** How the process of a hook ended, and what it wrote (at most what is kept). */
export type HookRun =
  | { readonly end: 'exit'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly end: 'signal'; readonly signal: string }
  | { readonly end: 'timeout'; readonly ms: number }
  | { readonly end: 'flood'; readonly bytes: number }
  /** It could not be started. */
  | { readonly end: 'unstarted'; readonly problem: string }
  /** We ended it because its answer is not wanted any more. */
  | { readonly end: 'cut' };

/** What one hook said; everything absent where it abstains. */
export interface HookAnswer {
  /** It did not work: for people, never a reason to hold up or to let anything through. */
  readonly failure?: string;
  /** Exit 2, or a decision to block: the reason. */
  readonly block?: string;
  /** The turn is to end: the reason. */
  readonly stop?: string;
  readonly permission?: { readonly behavior: 'allow' | 'ask' | 'deny' | 'defer'; readonly reason: string };
  /** The tool's input in place of the model's; an object. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** For the model. */
  readonly context?: string;
  /** For people. */
  readonly message?: string;
}

/** Texts of hooks that enter the conversation are cut to this many characters, each. */
const longestText = 10_000;
const text = z.optional(z.string());
const outputSchema = z.object({
  continue: z.optional(z.boolean()),
  stopReason: text,
  systemMessage: text,
  decision: z.optional(z.enum(['block', 'approve', 'allow', 'deny'])),
  reason: text,
  hookSpecificOutput: z.optional(
    z.object({
      hookEventName: text,
      permissionDecision: z.optional(z.enum(['allow', 'deny', 'ask', 'defer'])),
      permissionDecisionReason: text,
      updatedInput: z.optional(z.record(z.string(), z.unknown())),
      additionalContext: text,
      decision: z.optional(
        z.object({
          behavior: z.enum(['allow', 'deny']),
          message: text,
          updatedInput: z.optional(z.unknown()),
        }),
      ),
    }),
  ),
});
type Output = z.infer<typeof outputSchema>;

/** Reads what a hook of this event said. What cannot be read counts as no opinion, except that a wish to stop something holds. */
export function readHookAnswer(event: HookEvent, run: HookRun): HookAnswer {
  switch (run.end) {
    case 'exit':
      return readExit(event, run);
    case 'signal':
      return { failure: `ended by signal ${run.signal}` };
    case 'timeout':
      return { failure: `did not end within ${run.ms / 1000} s and was stopped` };
    case 'flood':
      return { failure: `wrote more than ${run.bytes / 1024 / 1024} MB and was stopped` };
    case 'unstarted':
      return { failure: `could not be started: ${run.problem}` };
    case 'cut':
      return {};
    default:
      return assertNever(run, 'end of a hook');
  }
}

function readExit(event: HookEvent, { code, stdout, stderr }: Extract<HookRun, { end: 'exit' }>): HookAnswer {
  const said = stderr.trim();
  if (code === 2) return { block: cut(said === '' ? 'it gave no reason' : said) };
  if (code !== 0)
    return { failure: `ended with exit code ${code}${said === '' ? '' : `: ${oneLine(said, 300)}`}` };
  const output = stdout.trim();
  if (!output.startsWith('{')) return plainWords(event, output);
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch {
    return { failure: 'wrote what begins like JSON and is none' };
  }
  return readOutput(event, json);
}

/** Plain words are for the model where an event asks for some. */
function plainWords(event: HookEvent, output: string): HookAnswer {
  const wanted = event === 'UserPromptSubmit' || event === 'SessionStart';
  return wanted && output !== '' ? { context: cut(output) } : {};
}

function readOutput(event: HookEvent, json: unknown): HookAnswer {
  const parsed = outputSchema.safeParse(json);
  if (!parsed.success)
    return { ...whatStops(json), failure: `wrote JSON of another shape (${whereOf(parsed.error)})` };
  const { hookSpecificOutput: own = {} } = parsed.data;
  if (own.hookEventName !== undefined && own.hookEventName !== event)
    return {
      ...whatStops(json),
      failure: `answered for ${oneLine(own.hookEventName, 40)}, not for ${event}`,
    };
  const { systemMessage, reason = '' } = parsed.data;
  const permission = permissionOf(event, parsed.data);
  const blocks = parsed.data.decision === 'block' || parsed.data.decision === 'deny';
  return {
    ...(permission === null ? {} : { permission }),
    ...(blocks && permission === null ? { block: cut(reason === '' ? 'it gave no reason' : reason) } : {}),
    ...stopOf(parsed.data),
    ...(own.updatedInput === undefined ? {} : { input: own.updatedInput }),
    ...(own.additionalContext ? { context: cut(own.additionalContext) } : {}),
    ...(systemMessage ? { message: cut(systemMessage) } : {}),
  };
}

function stopOf({ continue: goesOn, stopReason = '' }: Output): Pick<HookAnswer, 'stop'> {
  if (goesOn !== false) return {};
  return { stop: cut(stopReason === '' ? 'it gave no reason' : stopReason) };
}

function permissionOf(event: HookEvent, output: Output): NonNullable<HookAnswer['permission']> | null {
  const { hookSpecificOutput: own = {}, decision, reason = '' } = output;
  if (event === 'PreToolUse') {
    if (own.permissionDecision !== undefined)
      return { behavior: own.permissionDecision, reason: cut(own.permissionDecisionReason ?? '') };
    // The older form.
    if (decision === undefined) return null;
    return {
      behavior: decision === 'approve' || decision === 'allow' ? 'allow' : 'deny',
      reason: cut(reason),
    };
  }
  if (event !== 'PermissionRequest' || own.decision === undefined) return null;
  const { behavior, message = '', updatedInput } = own.decision;
  // What people are shown now is decided on; another input would be another question.
  if (behavior === 'allow' && updatedInput !== undefined) return null;
  return { behavior, reason: cut(message) };
}

/** Of an answer that cannot be read as a whole: what would only hold something back. */
function whatStops(json: unknown): HookAnswer {
  if (!isObject(json)) return {};
  const own = isObject(json.hookSpecificOutput) ? json.hookSpecificOutput : {};
  const asked = isObject(own.decision) ? own.decision.behavior : own.permissionDecision;
  const unread = { reason: 'its answer could not be read as a whole' };
  if (asked === 'deny' || asked === 'ask' || asked === 'defer')
    return { permission: { behavior: asked, ...unread } };
  if (json.decision === 'block' || json.decision === 'deny') return { block: unread.reason };
  return json.continue === false ? { stop: unread.reason } : {};
}

function whereOf(error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] }): string {
  const path = error.issues[0]?.path.map(String).join('.') ?? '';
  return path === '' ? 'it is no object' : `"${oneLine(path, 80)}"`;
}

function cut(words: string): string {
  return words.length <= longestText ? words : `${words.slice(0, longestText)}…`;
}
