import { assertNever } from '../../../../shared/base/assert-never.ts';
import { isObject } from '../../../../shared/base/json.ts';
import { quotedText } from '../../../../shared/base/quoted-text.ts';
import { oneLine } from '../../../../shared/base/visible-text.ts';
import type { CallPart, CallResult, ContextMessage } from '../../../../shared/domain/messages.ts';

type UserMessage = Extract<ContextMessage, { role: 'user' }>;
type ResultMessage = Extract<ContextMessage, { role: 'result' }>;

/** Characters of a call's broken input that go back to the model. */
const longestBroken = 2_000;

/** A message as the model reads it: its ref in front, which `in_reply_to` names. */
export function userText({ ref, text }: UserMessage): string {
  const shown = text.trim() === '' ? '(empty)' : text.toWellFormed();
  return ref === undefined ? shown : `[${ref}] ${shown}`;
}

/** A result as the model reads it; what did not run to its end says so first. */
export function resultText({ outcome, output }: CallResult): string {
  // A cut in the middle of a character is half a surrogate pair, which providers refuse.
  const text = output.trim() === '' ? '(no output)' : output.toWellFormed();
  switch (outcome) {
    case 'ok':
    case 'error':
      return text;
    case 'denied':
      return `Not allowed, so it did not run. ${text}`;
    case 'unknown':
      return `Outcome unknown. ${text}`;
    case 'interrupted':
      return `Interrupted before its end. ${text}`;
    default:
      return assertNever(outcome, 'outcome');
  }
}

/** Stands for a result that was never stored. */
export const missingResult: CallResult = {
  outcome: 'unknown',
  output: 'No result was stored. Check what happened before repeating it.',
};

/** A result that came when its call was no longer open: it stands where people's messages do, so it is quoted. */
export function lateResultText({ tool, result }: ResultMessage): string {
  return `[late result of ${oneLine(tool, 64)}]\n${quotedText(resultText(result))}`;
}

/** What the model is told in place of pictures it cannot get. */
export function noPictureText(count: number, reason: 'model' | 'gone'): string {
  const what = count === 1 ? 'A picture' : `${count} pictures`;
  return reason === 'model'
    ? `(${what} came with it; this model reads no pictures.)`
    : `(${what} came with it, but the stored file is gone.)`;
}

/** Where pictures of results come as a message of their own. */
export function picturesText(tool: string): string {
  return `Pictures from the result of ${tool}:`;
}

/** A call as the provider sees it: through the tool it was made through, its name one that wires take, its input always an object. */
export function wireCall({ tool, input, via }: CallPart): {
  readonly name: string;
  readonly input: Record<string, unknown>;
} {
  const given =
    typeof input === 'string' ? { malformed: input.slice(0, longestBroken).toWellFormed() } : input;
  const own = isObject(given) ? given : { value: given ?? null };
  return via === undefined
    ? { name: wireName(tool), input: own }
    : { name: via, input: { name: tool, input: own } };
}

/** A model may make names up; one that the wire refuses would refuse the whole conversation from then on. */
function wireName(tool: string): string {
  return tool.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}
