import { isObject } from '../../../../shared/base/json.ts';
import { type Loose, blocksOf } from './blocks.ts';

const keysOf: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'cache_control', 'title', 'context', 'citations'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
};
const allowedFor: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
  result: ['text', 'image', 'document'],
};
const imageStarts: Readonly<Record<string, string>> = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '474946',
  'image/webp': '52494646',
};
const callName = /^[a-zA-Z0-9_-]{1,128}$/;
const callId = /^[a-zA-Z0-9_-]+$/;

function* mediaProblems({ source }: Loose, at: string): Iterable<string> {
  if (!isObject(source)) return yield `${at}.source: Field required`;
  if (source['type'] === 'url' || source['type'] === 'text') return;
  if (source['type'] !== 'base64') yield `${at}.source: Input tag '${source['type']}' is not expected`;
  const { data, media_type: media } = source;
  if (typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    return yield `${at}.source.base64.data: The image was not valid base64`;
  }
  if (media === 'application/pdf') return;
  const begin = imageStarts[String(media)];
  if (begin === undefined) yield `${at}.source.base64.media_type: Input should be a supported image type`;
  else if (!Buffer.from(data.slice(0, 16), 'base64').toString('hex').startsWith(begin)) {
    yield `${at}.source.base64: The image does not match the provided media type ${media}`;
  }
}

function* contentProblems(content: unknown, role: string, at: string): Iterable<string> {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) return yield `${at}: Input should be a string or a valid list`;
  for (const [index, block] of content.entries()) yield* blockProblems(block, role, `${at}.${index}`);
}

function* fieldProblems(block: Loose, at: string): Iterable<string> {
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] !== 'string') yield `${at}.text: Input should be a valid string`;
      else if (block['text'] === '') yield `${at}: text content blocks must be non-empty`;
      else if (block['text'].trim() === '')
        yield `${at}: text content blocks must contain non-whitespace text`;
      return;
    case 'image':
    case 'document':
      return yield* mediaProblems(block, at);
    case 'tool_result':
      if (typeof block['tool_use_id'] !== 'string') yield `${at}.tool_use_id: Field required`;
      if (!['boolean', 'undefined'].includes(typeof block['is_error'])) yield `${at}.is_error: not a boolean`;
      if (block['content'] !== undefined) yield* contentProblems(block['content'], 'result', `${at}.content`);
      return;
    case 'tool_use':
      if (!callId.test(String(block['id']))) yield `${at}.id: String should match pattern '${callId.source}'`;
      if (!callName.test(String(block['name']))) yield `${at}.name: String should match '${callName.source}'`;
      if (!isObject(block['input'])) yield `${at}.input: Input should be a valid dictionary`;
      return;
    case 'thinking':
      if (typeof block['thinking'] !== 'string') yield `${at}.thinking: Field required`;
      if (typeof block['signature'] !== 'string') yield `${at}.signature: Field required`;
      return;
    default:
      return;
  }
}

function* blockProblems(block: unknown, role: string, at: string): Iterable<string> {
  if (!isObject(block)) return yield `${at}: Input should be an object`;
  const { type } = block;
  if (typeof type !== 'string' || !allowedFor[role]?.includes(type)) {
    return yield `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`;
  }
  const extra = Object.keys(block).find((key) => !keysOf[type]?.includes(key));
  if (extra !== undefined) yield `${at}.${type}.${extra}: Extra inputs are not permitted`;
  yield* fieldProblems(block, at);
}

/** What is wrong with the shape of one message, as the real server words it. */
export function* messageProblems(message: unknown, at: string): Iterable<string> {
  if (!isObject(message)) return yield `${at}: Input should be an object`;
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') {
    return yield `${at}.role: Input should be 'user' or 'assistant'`;
  }
  const extra = Object.keys(message).find((key) => key !== 'role' && key !== 'content');
  if (extra !== undefined) yield `${at}.${extra}: Extra inputs are not permitted`;
  yield* contentProblems(content, role, `${at}.content`);
  if (blocksOf(content).length === 0 || content === '')
    yield `${at}: all messages must have non-empty content`;
}
