import type { ToolText } from '../../../shared/domain/frames.ts';
import { isObject } from '../../../shared/base/json.ts';
import * as z from 'zod/mini';
import type { Tool } from '../tools/tool.ts';
import { findTools, type FoundTool } from './find-tools.ts';
import { useTool } from './use-tool.ts';

/** Design 16: no request names more tools than this; the list of a session never changes. */
export const mostHot = 10;

/** Tools of brief mode alone: elsewhere plain text is the answer and they are not offered at all. */
const briefOnly: ReadonlySet<string> = new Set(['SendUserMessage', 'Brief']);

/** The tools a model is told about at once, and those it finds. */
export interface OfferedTools {
  readonly tools: readonly ToolText[];
  readonly deferred: readonly ToolText[];
}

/** The tools of a session: what the model is told of them, and all that it may call. */
export interface SessionTools {
  readonly offered: OfferedTools;
  readonly callable: readonly Tool[];
}

/** Splits the session's own tools, with the two that find and call those which are not named in requests. */
export function toolsOfSession(own: readonly Tool[], brief: boolean): SessionTools {
  const callable = own.filter(({ name }) => brief || !briefOnly.has(name));
  const listed = callable.filter(({ otherName }) => otherName !== true);
  const deferred = listed.filter((tool) => !tool.hot);
  const doors = [findTools(deferred.map(foundTool)), useTool(listed.map(({ name }) => name))];
  const hot = [...listed.filter((tool) => tool.hot), ...doors];
  return {
    offered: { tools: hot.map(toolText), deferred: deferred.map(toolText) },
    callable: [...callable, ...doors],
  };
}

function foundTool(tool: Tool): FoundTool {
  return { ...toolText(tool), ...(tool.topic === undefined ? {} : { topic: tool.topic }) };
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
