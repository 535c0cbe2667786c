import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { CallResult, ContextMessage, Reply, ReplyPart } from '../../../../shared/domain/messages.ts';
import type { ModelChoice } from '../../../../shared/domain/models.ts';
import { lateResultText, missingResult, userText } from './words.ts';

/** The result of one call of the turn before. */
export interface TurnResult {
  readonly call: string;
  readonly tool: string;
  readonly result: CallResult;
}

/** What one side says; the sides alternate, the person's is first and last. */
export type Turn =
  | { readonly side: 'person'; readonly results: readonly TurnResult[]; readonly texts: readonly string[] }
  | { readonly side: 'model'; readonly parts: readonly ReplyPart[]; readonly foreign: boolean };

interface Person {
  readonly side: 'person';
  readonly results: TurnResult[];
  readonly texts: string[];
}
interface Model {
  readonly side: 'model';
  readonly parts: ReplyPart[];
  foreign: boolean;
}

/**
 * The conversation as alternating turns for one model. Every call gets its result in the turn right after it: a missing one
 * is made up, a late one comes as text. A turn depends only on what was stored up to its end, so that a longer conversation
 * begins with the same bytes.
 */
export function turnsOf(
  messages: readonly ContextMessage[],
  model: Pick<ModelChoice, 'ref' | 'wire'>,
): Turn[] {
  const turns: (Person | Model)[] = [];
  const open = new Map<string, string>();
  const person = (): Person => {
    const last = turns.at(-1);
    if (last?.side === 'person') return last;
    const fresh: Person = { side: 'person', results: [], texts: [] };
    turns.push(fresh);
    return fresh;
  };
  const closeCalls = (): void => {
    for (const [call, tool] of open) person().results.push({ call, tool, result: missingResult });
    open.clear();
  };
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        person().texts.push(userText(message));
        break;
      case 'result':
        if (open.delete(message.call)) person().results.push(resultOf(message));
        else person().texts.push(lateResultText(message));
        break;
      case 'assistant':
        closeCalls();
        addReply(turns, message.reply, model);
        for (const part of message.reply.parts) if (part.type === 'call') open.set(part.id, part.tool);
        break;
      default:
        assertNever(message, 'message');
    }
  }
  closeCalls();
  if (turns[0]?.side !== 'person') turns.unshift({ side: 'person', results: [], texts: [beginning] });
  if (turns.at(-1)?.side !== 'person') person().texts.push(ending);
  return turns;
}

const beginning = '(What was said before is left out.)';
const ending = '(Go on.)';

function resultOf({ call, tool, result }: Extract<ContextMessage, { role: 'result' }>): TurnResult {
  return { call, tool, result };
}

function addReply(turns: (Person | Model)[], reply: Reply, model: Pick<ModelChoice, 'ref' | 'wire'>): void {
  const own = reply.model === model.ref;
  const parts = reply.parts.filter((part) => isSendable(part, own ? model.wire : null));
  // A turn of thinking alone says nothing, and no provider takes it.
  if (parts.every((part) => part.type === 'thinking')) return;
  const last = turns.at(-1);
  if (last?.side !== 'model') turns.push({ side: 'model', parts: [...parts], foreign: !own });
  else {
    last.parts.push(...parts);
    last.foreign ||= !own;
  }
}

/** Thinking goes back to the provider and model that signed it, to nobody else. */
function isSendable(part: ReplyPart, ownWire: string | null): boolean {
  switch (part.type) {
    case 'text':
      return part.text.trim() !== '';
    case 'call':
      return true;
    case 'thinking':
      return part.signature !== undefined && part.provider === ownWire;
    default:
      return assertNever(part, 'part');
  }
}
