import { type Ask, type AskedTurn, joinTurns } from '../ask.ts';
import { createMarkedCache } from '../prompt-cache.ts';
import type { Encoder, PlainAnswer, Problem, Wire } from '../wire.ts';
import { newId, retryHeaders } from '../wire-words.ts';
import { type Loose, blocksOf, countOf, objectsIn, textOf } from './blocks.ts';
import { promptParts } from './cache-marks.ts';
import { bodyProblem, keyProblem, versionProblem } from './check.ts';
import { streamEncoder, wholeEncoder } from './encoder.ts';
import { type Signatures, createSignatures } from './signatures.ts';

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function turnOf({ role, content }: Loose): AskedTurn {
  const blocks = blocksOf(content);
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text: textOf(content),
    images: countOf(content, 'image'),
    thinking: blocks.map((block) => (block['type'] === 'thinking' ? String(block['thinking']) : '')).join(''),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
    results: blocks
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({
        id: String(block['tool_use_id']),
        name: '',
        text: textOf(block['content']),
        images: countOf(block['content'], 'image'),
        isError: block['is_error'] === true,
      })),
  };
}

function read(body: unknown): Ask {
  const request = body as Loose;
  return {
    wire: 'anthropic',
    model: String(request['model']),
    stream: request['stream'] === true,
    maxTokens: Number(request['max_tokens']),
    system: textOf(request['system'] ?? []),
    tools: objectsIn(request['tools']).map(({ name }) => String(name)),
    turns: joinTurns(objectsIn(request['messages']).map(turnOf)),
  };
}

function refuse({ status, message, type }: Problem, hint = {}): PlainAnswer {
  const id = newId('req_');
  const error = {
    type: type ?? errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
    message,
  };
  return {
    status,
    headers: { 'request-id': id, ...retryHeaders(hint) },
    body: { type: 'error', error, request_id: id },
  };
}

function modelList(models: readonly string[]): PlainAnswer {
  const data = models.map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: '2026-01-01T00:00:00Z',
  }));
  const body = { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
  return { status: 200, headers: { 'request-id': newId('req_') }, body };
}

// Calls of an answer that thought first are bound to that thinking, so that a lost thinking block is noticed.
function binding(inner: Encoder, model: string, signatures: Signatures): Encoder {
  let newest: string | undefined;
  return {
    ...inner,
    thinking(thinking, signature, chunk) {
      newest = signature ?? signatures.sign(model, thinking);
      return inner.thinking(thinking, newest, chunk);
    },
    calls(calls, chunk, interleaved) {
      if (newest !== undefined) for (const { id } of calls) signatures.bind(id, model, newest);
      return inner.calls(calls, chunk, interleaved);
    },
  };
}

/** The Anthropic Messages API: `POST /v1/messages`, `GET /v1/models`. */
export function anthropicWire(options: { minCacheTokens: number; signatureSeed?: string | undefined }): Wire {
  const cache = createMarkedCache({ minTokens: options.minCacheTokens });
  const signatures = createSignatures(options.signatureSeed);
  return {
    name: 'anthropic',
    chatPath: '/v1/messages',
    check: (headers, body, ground) =>
      keyProblem(headers, ground) ?? versionProblem(headers) ?? bodyProblem(body, ground, signatures),
    read,
    tally: (body) => cache.tally(String((body as Loose)['model']), promptParts(body as Loose)),
    encoder: ({ model, stream }) =>
      binding(stream ? streamEncoder(model) : wholeEncoder(model), model, signatures),
    refuse,
    get(path, headers, ground) {
      const problem = keyProblem(headers, ground) ?? versionProblem(headers);
      if (problem !== undefined) return refuse(problem);
      if (path === '/v1/models') return modelList(ground.models);
      return refuse({ status: 404, message: `Not found: ${path}` });
    },
    forgetCache: cache.forget,
  };
}
