import { isObject } from '../../../../shared/base/json.ts';
import { type Loose, blocksOf, objectsIn } from './blocks.ts';

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;
const toolKeys = [
  'name',
  'description',
  'input_schema',
  'cache_control',
  'type',
  'strict',
  'eager_input_streaming',
];

function idsOf(message: Loose | undefined, type: string, key: string): string[] {
  return blocksOf(message?.['content']).flatMap((block) =>
    block['type'] === type ? [String(block[key])] : [],
  );
}

/** Every call is answered in the very next message, results come first there, and no result is without its call. */
export function* pairProblems(messages: readonly Loose[]): Iterable<string> {
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const asked = idsOf(message, 'tool_use', 'id');
    for (const id of asked) {
      if (seen.has(id)) yield `messages.${index}: \`tool_use\` ids must be unique`;
      seen.add(id);
    }
    const answered = idsOf(messages[index + 1], 'tool_result', 'tool_use_id');
    const open = asked.filter((id) => !answered.includes(id));
    if (open.length > 0) {
      yield `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    yield* resultProblems(message, idsOf(messages[index - 1], 'tool_use', 'id'), `messages.${index}`);
  }
}

function* resultProblems(message: Loose, asked: readonly string[], at: string): Iterable<string> {
  const blocks = blocksOf(message['content']);
  const ids = idsOf(message, 'tool_result', 'tool_use_id');
  const foreign = ids.find((id) => !asked.includes(id));
  if (foreign !== undefined) {
    yield `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${foreign}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
  }
  if (new Set(ids).size < ids.length) yield `${at}: each tool_use must have a single result`;
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
  const lastResult = blocks.findLastIndex(({ type }) => type === 'tool_result');
  if (firstOther !== -1 && firstOther < lastResult) {
    yield `${at}: \`tool_result\` blocks must come before any other content`;
  }
}

function* toolProblems(tool: Loose, at: string): Iterable<string> {
  if (!toolName.test(String(tool['name']))) {
    yield `${at}.custom.name: String should match pattern '${toolName.source}'`;
  }
  const schema = tool['input_schema'];
  if (!isObject(schema)) yield `${at}.custom.input_schema: Field required`;
  else if (schema['type'] !== 'object') yield `${at}.custom.input_schema.type: Input should be 'object'`;
  const extra = Object.keys(tool).find((key) => !toolKeys.includes(key));
  if (extra !== undefined) yield `${at}.custom.${extra}: Extra inputs are not permitted`;
}

/** Tools are well-formed and unique, the choice is possible, and a conversation with calls still has tools. */
export function* toolListProblems(body: Loose, messages: readonly Loose[]): Iterable<string> {
  const tools = objectsIn(body['tools']);
  if (body['tools'] !== undefined && !Array.isArray(body['tools']))
    yield 'tools: Input should be a valid list';
  for (const [index, tool] of tools.entries()) yield* toolProblems(tool, `tools.${index}`);
  if (new Set(tools.map(({ name }) => name)).size < tools.length) yield 'tools: Tool names must be unique.';
  const choice = body['tool_choice'];
  if (choice !== undefined) {
    if (!isObject(choice) || !['auto', 'any', 'tool', 'none'].includes(String(choice['type']))) {
      yield 'tool_choice: Input does not match any of the expected tags';
    } else if (tools.length === 0) yield 'tool_choice may only be specified while providing tools.';
    else if (choice['type'] === 'tool' && !tools.some(({ name }) => name === choice['name'])) {
      yield `tool_choice: Tool '${choice['name']}' not found in provided tools`;
    }
  }
  const used = messages.some((message) => idsOf(message, 'tool_use', 'id').length > 0);
  if (used && tools.length === 0) {
    yield 'Requests which include `tool_use` or `tool_result` blocks must define tools';
  }
}
