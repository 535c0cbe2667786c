import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../../../shared/base/json.ts';
import { tokensOf, weightOf } from '../tokens.ts';
import type { Ground, Problem } from '../wire.ts';
import { type Loose, objectsIn } from './blocks.ts';
import { markProblems, promptParts } from './cache-marks.ts';
import { messageProblems } from './check-blocks.ts';
import { pairProblems, toolListProblems } from './check-tools.ts';
import type { Signatures } from './signatures.ts';

const known =
  'model messages max_tokens system tools tool_choice stream temperature top_p top_k stop_sequences metadata thinking output_config service_tier context_management mcp_servers container cache_control inference_geo speed'.split(
    ' ',
  );

/** The key or token is there and right. */
export function keyProblem(headers: IncomingHttpHeaders, { apiKey }: Ground): Problem | undefined {
  if (apiKey === undefined) return undefined;
  const { 'x-api-key': key, authorization } = headers;
  if (key === undefined && authorization === undefined) {
    return { status: 401, message: 'x-api-key header is required' };
  }
  if (key === apiKey || (key === undefined && authorization === `Bearer ${apiKey}`)) return undefined;
  return { status: 401, message: key === undefined ? 'invalid bearer token' : 'invalid x-api-key' };
}

/** The version header that every request carries. */
export function versionProblem(headers: IncomingHttpHeaders): Problem | undefined {
  const version = headers['anthropic-version'];
  if (version === '2023-06-01') return undefined;
  const message =
    version === undefined
      ? 'anthropic-version: header is required'
      : `anthropic-version: ${JSON.stringify(version)} is not a valid version`;
  return { status: 400, message };
}

function* thinkingProblems({ thinking, max_tokens: limit, temperature }: Loose): Iterable<string> {
  if (!isObject(thinking) || thinking['type'] === 'disabled') return;
  if (thinking['type'] !== 'enabled' && thinking['type'] !== 'adaptive') {
    yield `thinking: Input tag '${thinking['type']}' does not match any of the expected tags`;
  }
  const budget = thinking['budget_tokens'];
  if (thinking['type'] === 'enabled' && !(Number(budget) >= 1024)) {
    yield 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  }
  if (Number(budget) >= Number(limit)) yield '`max_tokens` must be greater than `thinking.budget_tokens`';
  if (temperature !== undefined && temperature !== 1) {
    yield '`temperature` may only be set to 1 when thinking is enabled';
  }
}

function* fieldProblems(body: Loose): Iterable<string> {
  const extra = Object.keys(body).find((key) => !known.includes(key));
  if (extra !== undefined) yield `${extra}: Extra inputs are not permitted`;
  if (typeof body['model'] !== 'string') yield 'model: Field required';
  const limit = body['max_tokens'];
  if (limit === undefined) yield 'max_tokens: Field required';
  else if (!Number.isInteger(limit) || Number(limit) < 1)
    yield 'max_tokens: must be greater than or equal to 1';
  const { stream, system } = body;
  if (stream !== undefined && typeof stream !== 'boolean') yield 'stream: Input should be a valid boolean';
  if (Array.isArray(system)) {
    const wrong = system.findIndex((block) => !isObject(block) || block['type'] !== 'text' || !block['text']);
    if (wrong !== -1) yield `system.${wrong}: Input should be a non-empty text block`;
  } else if (system !== undefined && typeof system !== 'string') yield 'system: Input should be a valid list';
  yield* thinkingProblems(body);
}

function* orderProblems(messages: readonly Loose[]): Iterable<string> {
  if (messages.length === 0) return yield 'messages: at least one message is required';
  if (messages[0]?.['role'] !== 'user') yield 'messages: first message must use the "user" role';
  const twice = messages.findIndex(({ role }, index) => role === messages[index - 1]?.['role']);
  if (twice > 0) {
    yield `messages: roles must alternate between "user" and "assistant", but found multiple "${messages[twice]?.['role']}" roles in a row`;
  }
  if (messages.at(-1)?.['role'] === 'assistant') {
    yield 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
}

function* allProblems(body: Loose, signatures: Signatures): Iterable<string> {
  yield* fieldProblems(body);
  if (!Array.isArray(body['messages'])) return yield 'messages: Field required';
  for (const [index, message] of body['messages'].entries())
    yield* messageProblems(message, `messages.${index}`);
  const messages = objectsIn(body['messages']);
  yield* orderProblems(messages);
  yield* pairProblems(messages);
  yield* toolListProblems(body, messages);
  yield* markProblems(body);
  yield* signatures.problems(messages, String(body['model']));
}

/** The first thing wrong with the body, in the words of the real server. */
export function bodyProblem(body: unknown, ground: Ground, signatures: Signatures): Problem | undefined {
  if (!isObject(body)) return { status: 400, message: 'The request body is not valid JSON' };
  const [message] = allProblems(body, signatures);
  if (message !== undefined) return { status: 400, message };
  const model = String(body['model']);
  if (!ground.models.includes(model)) return { status: 404, message: `model: ${model}` };
  const tokens = tokensOf(promptParts(body).reduce((sum, { content }) => sum + weightOf(content), 0));
  if (tokens <= ground.contextWindow) return undefined;
  return { status: 400, message: `prompt is too long: ${tokens} tokens > ${ground.contextWindow} maximum` };
}
