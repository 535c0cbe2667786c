import * as z from 'zod/mini';
import { oneLine, visibleText } from '../../../shared/base/visible-text.ts';
import type { ToolText } from '../../../shared/domain/frames.ts';
import { realDirectory } from '../tools/places.ts';
import { defineTool, ok, type Tool } from '../tools/tool.ts';
import { type ToolQuery, toolQuery } from './tool-query.ts';

const schema = z.object({ query: z.string().check(z.minLength(1)) });

/** A tool that is found; `topic`: what it is for, in a few words. */
export type FoundTool = ToolText & { readonly topic?: string };

/** Finds tools that are not named in every request; their schemas come as its result, so that the list of tools never changes. */
export function findTools(deferred: readonly FoundTool[]): Tool {
  return defineTool({
    name: 'FindTools',
    description: descriptionOf(deferred),
    schema,
    hot: true,
    class: 'pure',
    access: 'person',
    async look({ query }, context) {
      const place = await realDirectory(context);
      const cwd = typeof place === 'string' ? context.dir : place.cwd;
      const preview = visibleText(query);
      return { cwd, subject: oneLine(query, 200), paths: [], preimages: [], preview, description: '' };
    },
    async act({ query }) {
      return ok(answer(toolQuery(query, deferred), deferred));
    },
  });
}

function descriptionOf(deferred: readonly FoundTool[]): string {
  const topics = deferred.map(({ name, topic }) => topic ?? name).join(', ');
  const what = topics === '' ? '' : ` There are tools for: ${topics}.`;
  return `Finds further tools by words for what you want to do, or by name with select:NameA,NameB, and returns how to call them through UseTool.${what}`;
}

function answer({ found, unknown }: ToolQuery, deferred: readonly ToolText[]): string {
  const missing = unknown.length === 0 ? '' : `There is no tool named ${unknown.join(', ')}.\n\n`;
  if (found.length > 0)
    return `${missing}Call these with UseTool {"name": ..., "input": ...}.\n\n${found.map(described).join('\n\n')}`;
  const names = deferred.map(({ name }) => name).join(', ');
  return names === ''
    ? `${missing}There are no further tools.`
    : `${missing}Nothing fits. The further tools are: ${names}. Get one with select:Name.`;
}

function described({ name, description, schema: input }: ToolText): string {
  return `## ${name}\n${description}\ninput: ${JSON.stringify(input)}`;
}
