import { canonicalJson } from '../../../shared/base/json.ts';
import type { CallPart, ContextMessage, Reply } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { OpenCall } from './ports.ts';

/** Input of a call that will not run is stored as facts only up to this many characters of JSON. */
const longestInput = 20_000;

/**
 * Facts of a call that will not run (bad input, unknown tool, a loop): true in that nothing is touched, so that the decision
 * and the result with the explanation are stored like those of any call, and a crash between the two repeats only words.
 */
export function refusedFacts(call: OpenCall, dir: string, message: string): CallFacts {
  const size = canonicalJson(call.input).length;
  return {
    tool: call.tool,
    input: size <= longestInput ? (call.input ?? null) : { omitted: `input of ${size} characters` },
    class: 'pure',
    cwd: dir,
    subject: '',
    access: 'person',
    paths: [],
    preimages: [],
    preview: message,
    description: '',
  };
}

/**
 * For each call of `reply`, by id: how many calls directly before it in its turn are the same tool with the same input.
 * `earlier`: the turn's messages before the reply, oldest first. Each call is looked at once.
 */
export function repeatsInTurn(earlier: readonly ContextMessage[], reply: Reply): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let before: string | null = null;
  let count = 0;
  for (const call of callsIn(reply)) {
    const key = callKey(call);
    count = before === null ? runAtEnd(earlier, key) : key === before ? count + 1 : 0;
    before = key;
    counts.set(call.id, count);
  }
  return counts;
}

function callsIn({ parts }: Reply): readonly CallPart[] {
  return parts.filter((part) => part.type === 'call');
}

/** How many of the newest calls are this one, without another between them. */
function runAtEnd(messages: readonly ContextMessage[], key: string): number {
  let count = 0;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== 'assistant') continue;
    for (const call of callsIn(message.reply).toReversed()) {
      if (callKey(call) !== key) return count;
      count += 1;
    }
  }
  return count;
}

function callKey(call: { readonly tool: string; readonly input: unknown }): string {
  return `${call.tool} ${canonicalJson(call.input)}`;
}

/** What the model reads instead of the result of a call that it keeps repeating. */
export function repeatedText(tool: string, limit: number): string {
  return `Not run: this exact ${tool} call was made ${limit} times in a row in this turn with the same input. Stop repeating it: use what you have, try something else, or tell the person what is in the way.`;
}

/** What the person reads when the model goes on with it all the same. */
export function stoppedText(tool: string, repeats: number): string {
  return `Stopped: the model made the same ${tool} call ${repeats + 1} times in a row and went on after it was told. Say what it should do instead, or choose another model.`;
}
