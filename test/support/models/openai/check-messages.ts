import { isObject } from '../../../../shared/base/json.ts';

/** A JSON object that arrived, of unknown shape. */
export type Loose = Record<string, unknown>;

/** What is wrong, and where. */
export interface Fault {
  readonly message: string;
  readonly param: string;
}

const keysOf: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'reasoning_content'],
  tool: ['role', 'content', 'tool_call_id'],
};

function fault(param: string, message: string): Fault {
  return { message: `Invalid '${param}': ${message}`, param };
}

/** The tool calls of an assistant message. */
export function callsOf(message: Loose | undefined): Loose[] {
  const calls = message?.['tool_calls'];
  return Array.isArray(calls) ? calls.filter(isObject) : [];
}

function* partFaults(part: unknown, role: string, at: string): Iterable<Fault> {
  if (!isObject(part)) return yield fault(at, 'expected an object.');
  if (part['type'] === 'text') {
    if (typeof part['text'] !== 'string') yield fault(`${at}.text`, 'expected a string.');
  } else if (part['type'] === 'image_url' && role === 'user') {
    const url = isObject(part['image_url']) ? part['image_url']['url'] : undefined;
    if (
      typeof url !== 'string' ||
      !/^(data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}|https?:\/\/\S+)$/.test(url)
    ) {
      yield fault(`${at}.image_url`, 'Expected a valid URL or a base64 data URL of a supported image.');
    }
  } else yield fault(at, `'${part['type']}' content is not supported for the role '${role}'.`);
}

function* contentFaults(content: unknown, role: string, at: string): Iterable<Fault> {
  if (typeof content === 'string') return;
  if (!Array.isArray(content) || content.length === 0) {
    return yield fault(`${at}.content`, 'expected a string or a non-empty array of parts.');
  }
  for (const [index, part] of content.entries()) yield* partFaults(part, role, `${at}.content[${index}]`);
}

function* callFaults(call: Loose, at: string): Iterable<Fault> {
  if (typeof call['id'] !== 'string' || call['id'] === '') yield fault(`${at}.id`, 'expected a string.');
  if (call['type'] !== 'function') yield fault(`${at}.type`, "Supported values are: 'function'.");
  const called = call['function'];
  if (!isObject(called)) return yield fault(`${at}.function`, 'expected an object.');
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(called['name'])))
    yield fault(`${at}.function.name`, 'bad pattern.');
  const input = called['arguments'];
  if (typeof input !== 'string') return yield fault(`${at}.function.arguments`, 'expected a string.');
  try {
    JSON.parse(input);
  } catch {
    // OpenAI itself lets it pass; llama.cpp, vLLM and Ollama do not, so a client must not send it.
    yield fault(`${at}.function.arguments`, 'expected valid JSON.');
  }
}

/** What is wrong with the shape of one message. */
export function* messageFaults(message: unknown, at: string): Iterable<Fault> {
  if (!isObject(message)) return yield fault(at, 'expected an object.');
  const role = String(message['role']);
  const keys = keysOf[role];
  if (keys === undefined) {
    return yield fault(
      `${at}.role`,
      "Supported values are: 'system', 'developer', 'user', 'assistant', 'tool'.",
    );
  }
  const extra = Object.keys(message).find((key) => !keys.includes(key));
  if (extra !== undefined) yield { message: `Unknown parameter: '${at}.${extra}'.`, param: `${at}.${extra}` };
  const empty = message['content'] === null || message['content'] === undefined;
  if (role !== 'assistant' || !empty) yield* contentFaults(message['content'], role, at);
  if (message['tool_calls'] !== undefined && callsOf(message).length === 0) {
    yield fault(`${at}.tool_calls`, 'empty array. Expected an array with minimum length 1.');
  }
  if (role === 'assistant' && empty && callsOf(message).length === 0) {
    yield fault(at, "assistant messages need 'content' or 'tool_calls'.");
  }
  for (const [index, call] of callsOf(message).entries())
    yield* callFaults(call, `${at}.tool_calls[${index}]`);
}

/** Tool messages follow the assistant message that called, one for each call, before anything else. */
export function* pairFaults(messages: readonly Loose[]): Iterable<Fault> {
  let open: string[] = [];
  const unanswered = (at: number): Fault => ({
    message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    param: `messages.[${at}].role`,
  });
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const id = String(message['tool_call_id']);
      if (!open.includes(id)) {
        yield {
          message: `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.`,
          param: `messages.[${index}].role`,
        };
      }
      open = open.filter((one) => one !== id);
    } else {
      if (open.length > 0) yield unanswered(index);
      open = callsOf(message).map(({ id }) => String(id));
      if (new Set(open).size < open.length) yield fault(`messages[${index}].tool_calls`, 'duplicate ids.');
    }
  }
  if (open.length > 0) yield unanswered(messages.length);
}
