import type { ToolText } from '../../../shared/domain/frames.ts';
import { isObject } from '../../../shared/base/json.ts';
import * as z from 'zod/mini';
import type { Tool } from '../tools/tool.ts';

/** Design 16: no request names more tools than this; the list of a session never changes. */
export const mostHot = 10;

/** Tools of brief mode alone: elsewhere plain text is the answer and they are not offered at all. */
const briefOnly: ReadonlySet<string> = new Set(['SendUserMessage', 'Brief']);
/** What runs through others or is only another name, and therefore is never looked for. */
const notFound: ReadonlySet<string> = new Set(['Brief']);

/** The tools a model is told about at once, and those it finds. */
export interface OfferedTools {
  readonly tools: readonly ToolText[];
  readonly deferred: readonly ToolText[];
}

/** Splits the tools of a session. */
export function offeredTools(all: readonly Tool[], brief: boolean): OfferedTools {
  const offered = all.filter(({ name }) => brief || !briefOnly.has(name));
  const hot = offered.filter((tool) => tool.hot);
  const rest = offered.filter((tool) => !tool.hot && !notFound.has(tool.name));
  return { tools: hot.map(toolText), deferred: rest.map(toolText) };
}

function toolText({ name, description, schema }: Tool): ToolText {
  return { name, description, schema: shortSchema(z.toJSONSchema(schema, { io: 'input' })) };
}

/** Bounds that only say what any JSON number is, and the name of the schema language, are left out of every request. */
function shortSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortSchema);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => key !== '$schema' && !isUnbounded(key, member))
      .map(([key, member]) => [key, shortSchema(member)]),
  );
}

function isUnbounded(key: string, member: unknown): boolean {
  return (
    (key === 'maximum' && member === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && member === Number.MIN_SAFE_INTEGER)
  );
}
