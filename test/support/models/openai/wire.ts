import { isObject } from '../../../../shared/base/json.ts';
import { type Ask, type AskedTurn, joinTurns } from '../ask.ts';
import { createAutomaticCache } from '../prompt-cache.ts';
import type { PlainAnswer, Problem, Wire } from '../wire.ts';
import { newId, retryHeaders } from '../wire-words.ts';
import { bodyProblem, keyProblem, promptParts } from './check.ts';
import { type Loose, callsOf } from './check-messages.ts';
import { streamEncoder, wholeEncoder } from './encoder.ts';

function objectsIn(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
    .join('\n');
}

function parsed(input: unknown): unknown {
  const value: unknown = JSON.parse(String(input));
  return value;
}

function turnOf(message: Loose): AskedTurn {
  const { role, content } = message;
  const text = textOf(content);
  const images = objectsIn(content).filter(({ type }) => type === 'image_url').length;
  const answer = { id: String(message['tool_call_id']), name: '', text, images, isError: false };
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text: role === 'tool' ? '' : text,
    images: role === 'tool' ? 0 : images,
    thinking: typeof message['reasoning_content'] === 'string' ? message['reasoning_content'] : '',
    calls: callsOf(message).map(({ id, function: called }) => {
      const { name, arguments: input } = called as Loose;
      return { id: String(id), name: String(name), input: parsed(input) };
    }),
    results: role === 'tool' ? [answer] : [],
  };
}

function read(body: unknown): Ask {
  const request = body as Loose;
  const messages = objectsIn(request['messages']);
  const isSystem = ({ role }: Loose): boolean => role === 'system' || role === 'developer';
  const limit = request['max_completion_tokens'] ?? request['max_tokens'];
  return {
    wire: 'openai',
    model: String(request['model']),
    stream: request['stream'] === true,
    maxTokens: typeof limit === 'number' ? limit : undefined,
    system: messages
      .filter(isSystem)
      .map(({ content }) => textOf(content))
      .join('\n'),
    tools: objectsIn(request['tools']).map(({ function: tool }) => String((tool as Loose)['name'])),
    turns: joinTurns(messages.filter((message) => !isSystem(message)).map(turnOf)),
  };
}

const words: Readonly<Record<number, { readonly type: string; readonly code: string | null }>> = {
  429: { type: 'requests', code: 'rate_limit_exceeded' },
  404: { type: 'invalid_request_error', code: 'not_found' },
};

function refuse({ status, message, type, code, param }: Problem, hint = {}): PlainAnswer {
  const usual = words[status] ?? {
    type: status < 500 ? 'invalid_request_error' : 'server_error',
    code: null,
  };
  return {
    status,
    headers: { 'x-request-id': newId('req_'), ...retryHeaders(hint) },
    body: { error: { message, type: type ?? usual.type, param: param ?? null, code: code ?? usual.code } },
  };
}

function modelList(models: readonly string[]): PlainAnswer {
  const data = models.map((id) => ({ id, object: 'model', created: 1767225600, owned_by: 'stand-in' }));
  return { status: 200, headers: {}, body: { object: 'list', data } };
}

function tagList(names: readonly string[]): PlainAnswer {
  const details = {
    parent_model: '',
    format: 'gguf',
    family: 'stand-in',
    families: ['stand-in'],
    parameter_size: '8.0B',
    quantization_level: 'Q4_K_M',
  };
  const models = names.map((name) => ({
    name,
    model: name,
    modified_at: '2026-01-01T00:00:00Z',
    size: 4_661_224_676,
    digest: '0'.repeat(64),
    details,
  }));
  return { status: 200, headers: {}, body: { models } };
}

function wantsUsage({ stream_options: options }: Loose): boolean {
  return isObject(options) && options['include_usage'] === true;
}

/** The OpenAI chat completions API: `POST /v1/chat/completions`, `GET /v1/models`, and Ollama's `GET /api/tags`. */
export function openAiWire(options: { minCacheTokens: number }): Wire {
  const cache = createAutomaticCache({ minTokens: options.minCacheTokens });
  const partsOf = (body: unknown) => promptParts(body as Loose).map((content) => ({ content, mark: false }));
  return {
    name: 'openai',
    chatPath: '/v1/chat/completions',
    check: (headers, body, ground) => keyProblem(headers, ground) ?? bodyProblem(body, ground),
    read,
    tally: (body) => cache.tally(String((body as Loose)['model']), partsOf(body)),
    encoder: ({ model, stream }, body) =>
      stream ? streamEncoder(model, wantsUsage(body as Loose)) : wholeEncoder(model),
    refuse,
    get(path, headers, ground) {
      if (path === '/api/tags') return tagList(ground.models);
      const problem = keyProblem(headers, ground);
      if (problem !== undefined) return refuse(problem);
      if (path === '/v1/models') return modelList(ground.models);
      return refuse({ status: 404, message: `Invalid URL (GET ${path})` });
    },
    forgetCache: cache.forget,
  };
}
