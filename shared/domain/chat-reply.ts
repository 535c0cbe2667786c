import { parseVerdictText } from './approval-code.ts';
import { type Asked, optionsNamed } from './answer-text.ts';
import type { PromptView, Verdict } from './prompts.ts';

/** What a person wrote in a chat; `repliesTo`: the platform's id of the message it quotes. */
export interface ChatReply {
  readonly text: string;
  readonly repliesTo: string | null;
}

/** An open prompt as it was shown to this sender in this chat; `externalId`: the message that shows it. */
export interface ShownPrompt extends Asked, Pick<PromptView, 'code' | 'kind'> {
  readonly externalId: string | null;
}

/** What is open for this sender in this chat, and the platform's id of our last message there. */
export interface ChatPlace {
  readonly open: readonly ShownPrompt[];
  readonly lastOfOurs: string | null;
}

/**
 * What a reply is: a verdict on the prompt of that code (which may be wrong: the broker counts those), or a message like any other.
 * `elseMessage`: when no prompt has the code, the text was a message after all.
 */
export type ReplyMeaning =
  | {
      readonly kind: 'verdict';
      readonly code: string;
      readonly verdict: Verdict;
      readonly elseMessage: boolean;
    }
  | { readonly kind: 'message' };

const message: ReplyMeaning = { kind: 'message' };

/**
 * Reads a reply (design 29): `yes <code>` and `no <code>` decide; a question is answered by `<code> <answer>`, by a reply that
 * quotes it, or by bare text that names an option (any text where there are none) when it alone is open there and was our last
 * message. Bare text never allows anything.
 */
export function readReply(reply: ChatReply, place: ChatPlace): ReplyMeaning {
  const decided = parseVerdictText(reply.text);
  if (decided !== null) {
    const verdict: Verdict =
      decided.behavior === 'allow' ? { behavior: 'allow', scope: 'once' } : { behavior: 'deny' };
    return { kind: 'verdict', code: decided.code, verdict, elseMessage: false };
  }
  return byCode(reply.text, place) ?? byQuote(reply, place) ?? byBareText(reply, place) ?? message;
}

const coded = /^\s*([a-km-z]{5})[\s:]+(\S[\s\S]*)$/i;
/** A letter or a number after five letters is meant as an answer; words are not: "thank you" is no wrong code. */
const choice = /^\s*([a-z]|\d{1,2})\s*$/i;

function byCode(text: string, { open }: ChatPlace): ReplyMeaning | null {
  const [, code, rest] = coded.exec(text) ?? [];
  if (code === undefined || rest === undefined) return null;
  const known = open.some((prompt) => prompt.code === code.toLowerCase() && isQuestion(prompt));
  return known || choice.test(rest) ? answer(code.toLowerCase(), rest, !known) : null;
}

function byQuote({ text, repliesTo }: ChatReply, { open }: ChatPlace): ReplyMeaning | null {
  const quoted = open.find((prompt) => repliesTo !== null && prompt.externalId === repliesTo);
  return quoted !== undefined && isQuestion(quoted) ? answer(quoted.code, text, false) : null;
}

function byBareText({ text, repliesTo }: ChatReply, { open, lastOfOurs }: ChatPlace): ReplyMeaning | null {
  const [only, ...others] = open.filter(isQuestion);
  if (only === undefined || others.length > 0 || repliesTo !== null) return null;
  if (lastOfOurs === null || only.externalId !== lastOfOurs) return null;
  const answers = only.options.length === 0 ? text.trim() !== '' : optionsNamed(only, text) !== null;
  return answers ? answer(only.code, text, false) : null;
}

function isQuestion({ kind }: ShownPrompt): boolean {
  return kind === 'question' || kind === 'elicitation';
}

function answer(code: string, text: string, elseMessage: boolean): ReplyMeaning {
  return { kind: 'verdict', code, verdict: { behavior: 'answer', text }, elseMessage };
}
