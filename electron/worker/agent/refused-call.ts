import { canonicalJson } from '../../../shared/base/json.ts';
import type { ContextMessage, Reply } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/policy.ts';
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

/** How many calls directly before `call` in its turn are the same tool with the same input. */
export function repeatsBefore(call: OpenCall, earlier: readonly ContextMessage[], reply: Reply): number {
  const replies = earlier.flatMap((message) => (message.role === 'assistant' ? [message.reply] : []));
  const calls = [...replies, reply].flatMap((each) => each.parts.filter((part) => part.type === 'call'));
  const index = calls.findIndex((part) => part.id === call.id);
  const wanted = callKey(call);
  let count = 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    const part = calls[at];
    if (part === undefined || callKey(part) !== wanted) break;
    count += 1;
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
