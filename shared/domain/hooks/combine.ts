import { canonicalJson, isObject } from '../../base/json.ts';
import { oneLine } from '../../base/visible-text.ts';
import type { HookAnswer } from './answer.ts';
import { brokenGate } from './failing.ts';
import type { HookOccasion } from './occasions.ts';
import { type HookRule, hookName } from './rules.ts';

/** One hook and what it said. */
export interface HookSaid {
  readonly rule: HookRule;
  readonly answer: HookAnswer;
}

/** Words with the name of the hook they are of (`hookName`). */
export interface HookWords {
  readonly by: string;
  readonly text: string;
}

/** What is told to people about a hook that blocked, changed, failed, or said something to them. */
export interface HookReport extends HookWords {
  readonly outcome: 'blocked' | 'changed' | 'failed' | 'said';
  /** A guard that did not work: what becomes of what it guards. */
  readonly broken?: 'passes' | 'holds';
}

/** What the hooks of one event say together. */
export interface HookOutcome {
  /** Of a call or a question about it; `rule` is the hook that says it. */
  readonly verdict: {
    readonly behavior: 'deny' | 'defer' | 'ask' | 'allow';
    readonly reason: string;
    readonly by: string;
    readonly rule: HookRule;
  } | null;
  /** The call's new input, on which all that rewrite agree. */
  readonly input: { readonly value: unknown; readonly by: string } | null;
  /** A question to the person, answered by a hook. */
  readonly answer: HookWords | null;
  readonly block: HookWords | null;
  readonly stop: HookWords | null;
  /** For the model. */
  readonly context: readonly HookWords[];
  readonly reports: readonly HookReport[];
}

/** The outcome where no hook runs. */
export const noOutcome: HookOutcome = {
  verdict: null,
  input: null,
  answer: null,
  block: null,
  stop: null,
  context: [],
  reports: [],
};

const strictest = ['deny', 'defer', 'ask', 'allow'] as const;

/** Deny before defer before ask before allow; a rewrite holds only where all that rewrite agree. Hooks in the order of their sources. */
export function combineHooks(occasion: HookOccasion, said: readonly HookSaid[]): HookOutcome {
  const answers = said.map(({ rule, answer }) => ({ rule, by: hookName(rule), answer }));
  const question = occasion.event === 'PreToolUse' && occasion.tool === 'AskUserQuestion';
  const rewrite = occasion.event === 'PreToolUse' && !question ? rewriteOf(answers) : null;
  const answer = question ? answerOf(occasion.input, answers) : null;
  const verdict = verdictOf(occasion, answers, rewrite);
  const words = (member: 'block' | 'stop' | 'context'): readonly HookWords[] =>
    answers.flatMap(({ by, answer: { [member]: text } }) => (text === undefined ? [] : [{ by, text }]));
  const input = rewrite?.kind === 'agreed' ? { value: rewrite.value, by: rewrite.by } : null;
  const stop = words('stop')[0] ?? null;
  const block = words('block')[0] ?? null;
  const isChanged = input !== null && verdict?.behavior !== 'deny' && stop === null;
  return {
    verdict,
    input,
    answer,
    block,
    stop,
    context: words('context'),
    reports: [
      ...answers.flatMap(reportsOf),
      ...refusedAllows(answers),
      ...heldBack(occasion, { verdict, block, stop }),
      ...(isChanged
        ? [{ by: input.by, outcome: 'changed' as const, text: 'changed the input of a call' }]
        : []),
    ],
  };
}

type Named = { readonly rule: HookRule; readonly by: string; readonly answer: HookAnswer };
type Rewrite =
  | { readonly kind: 'agreed'; readonly value: unknown; readonly by: string }
  | { readonly kind: 'torn'; readonly by: string; readonly rule: HookRule };

function rewriteOf(answers: readonly Named[]): Rewrite | null {
  const rewriting = answers.filter(({ answer }) => answer.input !== undefined);
  const [first] = rewriting;
  if (!first) return null;
  const agreed = rewriting.every(
    ({ answer }) => canonicalJson(answer.input) === canonicalJson(first.answer.input),
  );
  const by = rewriting.map((each) => each.by).join(' and ');
  return agreed ? { kind: 'agreed', value: first.answer.input, by } : { kind: 'torn', by, rule: first.rule };
}

function verdictOf(
  { event }: HookOccasion,
  answers: readonly Named[],
  rewrite: Rewrite | null,
): HookOutcome['verdict'] {
  if (event !== 'PreToolUse' && event !== 'PermissionRequest') return null;
  const votes = answers.flatMap(({ rule, by, answer }) => {
    if (answer.block !== undefined) return [{ behavior: 'deny' as const, reason: answer.block, by, rule }];
    const { permission } = answer;
    if (permission === undefined) return [];
    // Whoever allowed another input than what is to run did not allow this one.
    const isOther = rewrite !== null && answer.input === undefined;
    const counts = permission.behavior !== 'allow' || (rule.mayAllow && !isOther);
    return counts ? [{ ...permission, by, rule }] : [];
  });
  if (rewrite?.kind === 'torn')
    votes.unshift({ behavior: 'deny', reason: 'hooks want different inputs for this call', ...rewrite });
  for (const behavior of strictest) {
    const vote = votes.find((each) => each.behavior === behavior);
    if (vote) return { behavior, reason: vote.reason, by: vote.by, rule: vote.rule };
  }
  return null;
}

/** An answer that one hook gives in the person's place, as `updatedInput.answer` or `updatedInput.answers[question]`; two that differ are none. */
function answerOf(input: unknown, answers: readonly Named[]): HookWords | null {
  const question = isObject(input) && typeof input.question === 'string' ? input.question : '';
  const given = answers.flatMap(({ rule, by, answer }) => {
    const list = answer.input?.answers;
    const text = answer.input?.answer ?? (isObject(list) ? list[question] : undefined);
    return rule.mayAllow && typeof text === 'string' && text.trim() !== '' ? [{ by, text }] : [];
  });
  const [first] = given;
  return first && given.every(({ text }) => text === first.text) ? first : null;
}

function reportsOf({ rule, by, answer }: Named): HookReport[] {
  const broken = brokenGate(rule, answer);
  const what = broken === null ? {} : { broken };
  return [
    ...(answer.failure === undefined
      ? []
      : [{ by, outcome: 'failed' as const, text: answer.failure, ...what }]),
    ...(answer.message === undefined ? [] : [{ by, outcome: 'said' as const, text: answer.message }]),
  ];
}

function refusedAllows(answers: readonly Named[]): HookReport[] {
  return answers.flatMap(({ rule, by, answer }) =>
    answer.permission?.behavior === 'allow' && !rule.mayAllow
      ? [
          {
            by,
            outcome: 'failed' as const,
            text: 'said "allow", which does not count (hooks.projectAllow in your settings)',
          },
        ]
      : [],
  );
}

function heldBack(
  { event }: HookOccasion,
  { verdict, block, stop }: Pick<HookOutcome, 'verdict' | 'block' | 'stop'>,
): HookReport[] {
  const held = (words: HookWords, what: string): HookReport => ({
    by: words.by,
    outcome: 'blocked',
    text: oneLine(`${what}: ${words.text}`, 1_000),
  });
  if (stop) return [held(stop, 'ended the turn')];
  if (verdict?.behavior === 'deny') return [held({ by: verdict.by, text: verdict.reason }, 'denied a call')];
  if (block === null) return [];
  if (event === 'UserPromptSubmit') return [held(block, 'blocked a message')];
  if (event === 'Stop') return [held(block, 'asked the session to go on')];
  return [{ ...held(block, 'complained'), outcome: 'failed' }];
}
