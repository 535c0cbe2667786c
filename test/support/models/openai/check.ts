import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../../../shared/base/json.ts';
import { tokensOf, weightOf } from '../tokens.ts';
import type { Ground, Problem } from '../wire.ts';
import { type Fault, type Loose, messageFaults, pairFaults } from './check-messages.ts';

const known =
  'model messages tools tool_choice parallel_tool_calls stream stream_options max_tokens max_completion_tokens temperature top_p frequency_penalty presence_penalty stop seed user n response_format reasoning_effort verbosity logprobs top_logprobs logit_bias metadata store service_tier prompt_cache_key prompt_cache_retention safety_identifier modalities prediction'.split(
    ' ',
  );

/** The bearer token is there and right; no header is needed where the server asks for no key. */
export function keyProblem(headers: IncomingHttpHeaders, { apiKey }: Ground): Problem | undefined {
  if (apiKey === undefined || headers.authorization === `Bearer ${apiKey}`) return undefined;
  if (headers.authorization === undefined) {
    return {
      status: 401,
      message: "You didn't provide an API key. Use an Authorization header with a Bearer key.",
    };
  }
  return { status: 401, message: 'Incorrect API key provided.', code: 'invalid_api_key' };
}

function* toolFaults(body: Loose): Iterable<Fault> {
  const { tools, tool_choice: choice } = body;
  if (tools === undefined) {
    if (choice !== undefined && choice !== 'none') {
      yield { message: "'tool_choice' is only allowed when 'tools' are specified.", param: 'tool_choice' };
    }
    return;
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    return yield { message: "Invalid 'tools': empty array or no array.", param: 'tools' };
  }
  for (const [index, tool] of tools.entries()) {
    const described = isObject(tool) && tool['type'] === 'function' ? tool['function'] : undefined;
    const at = `tools[${index}].function`;
    if (!isObject(described)) yield { message: `Missing required parameter: '${at}'.`, param: at };
    else if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(described['name']))) {
      yield { message: `Invalid '${at}.name': string does not match pattern.`, param: `${at}.name` };
    } else if (isObject(described['parameters']) && described['parameters']['type'] !== 'object') {
      yield { message: `Invalid schema for function '${described['name']}'.`, param: `${at}.parameters` };
    }
  }
  const names = tools.map((tool) =>
    isObject(tool) && isObject(tool['function']) ? tool['function']['name'] : '',
  );
  if (new Set(names).size < names.length) yield { message: 'Duplicate function names.', param: 'tools' };
}

function* fieldFaults(body: Loose): Iterable<Fault> {
  const extra = Object.keys(body).find((key) => !known.includes(key));
  if (extra !== undefined)
    yield { message: `Unrecognized request argument supplied: ${extra}`, param: extra };
  if (typeof body['model'] !== 'string')
    yield { message: 'you must provide a model parameter', param: 'model' };
  if (body['stream_options'] !== undefined && body['stream'] !== true) {
    yield {
      message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      param: 'stream_options',
    };
  }
  for (const param of ['max_tokens', 'max_completion_tokens']) {
    const limit = body[param];
    if (limit !== undefined && (!Number.isInteger(limit) || Number(limit) < 1)) {
      yield { message: `Invalid '${param}': integer below minimum value.`, param };
    }
  }
  if (body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined) {
    yield {
      message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      param: 'max_tokens',
    };
  }
}

function* allFaults(body: Loose): Iterable<Fault> {
  yield* fieldFaults(body);
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    return yield { message: "Missing required parameter: 'messages'.", param: 'messages' };
  }
  for (const [index, message] of messages.entries()) yield* messageFaults(message, `messages[${index}]`);
  yield* pairFaults(messages.filter(isObject));
  yield* toolFaults(body);
}

/** The prompt in the order of the cache: tools, then messages. */
export function promptParts(body: Loose): readonly unknown[] {
  const { tools, messages } = body;
  return [...(Array.isArray(tools) ? tools : []), ...(Array.isArray(messages) ? messages : [])];
}

/** The first thing wrong with the body, in the words of the real server. */
export function bodyProblem(body: unknown, ground: Ground): Problem | undefined {
  if (!isObject(body)) {
    return { status: 400, message: 'We could not parse the JSON body of your request.' };
  }
  const [fault] = allFaults(body);
  if (fault !== undefined) return { status: 400, ...fault };
  const model = String(body['model']);
  if (!ground.models.includes(model)) {
    return {
      status: 404,
      message: `The model \`${model}\` does not exist.`,
      code: 'model_not_found',
      param: 'model',
    };
  }
  const tokens = tokensOf(promptParts(body).reduce<number>((sum, part) => sum + weightOf(part), 0));
  if (tokens <= ground.contextWindow) return undefined;
  return {
    status: 400,
    message: `This model's maximum context length is ${ground.contextWindow} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    code: 'context_length_exceeded',
    param: 'messages',
  };
}
