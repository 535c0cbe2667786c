import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelServer } from '../../support/models/server.ts';

/** A chat request with a valid head; `body` replaces members of a minimal valid one. */
export function post(
  server: ModelServer,
  body: Readonly<Record<string, unknown>> | string = {},
  { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const anthropic = server.wire === 'anthropic';
  const key: Record<string, string> = anthropic
    ? { 'x-api-key': server.apiKey ?? '', 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${server.apiKey}` };
  const minimal = {
    model: 'stand-in-large',
    messages: [{ role: 'user', content: 'Hello' }],
    ...(anthropic ? { max_tokens: 1000 } : {}),
  };
  return fetch(server.url + (anthropic ? '/v1/messages' : '/v1/chat/completions'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ ...minimal, ...body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The data lines of a stream, parsed; `[DONE]` stays as it is. */
export function eventsOf(stream: string): unknown[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice(6))
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as unknown)));
}

/** The model of the real SDK that talks to this server. */
export function sdkModel(server: ModelServer, model = 'stand-in-large') {
  const { baseUrl: baseURL, apiKey = '' } = server;
  return server.wire === 'anthropic'
    ? createAnthropic({ baseURL, apiKey })(model)
    : createOpenAICompatible({ name: 'local', baseURL, apiKey, includeUsage: true })(model);
}
