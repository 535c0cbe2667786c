import * as z from 'zod/mini';
import { visibleText } from '../../../shared/base/visible-text.ts';
import { realDirectory } from './places.ts';
import { failed, type Tool } from './tool.ts';

const hotTools: ReadonlySet<string> = new Set(['SendUserMessage', 'AskUserQuestion']);

/** Host tools are done by the daemon in the commit that records them, which also checks their input (one truth, there). */
function hostTool(name: string, description: string, schema: z.ZodMiniType, words: string): Tool {
  return {
    name,
    description,
    schema,
    hot: hotTools.has(name),
    async prepare(input, context) {
      const place = await realDirectory(context);
      const cwd = typeof place === 'string' ? context.dir : place.cwd;
      const own = { cwd, subject: '', paths: [], preimages: [], description: '' };
      const preview = visibleText(wordsOf(input, words));
      return {
        kind: 'ready',
        facts: { tool: name, input, class: 'local', access: 'person', preview, ...own },
      };
    },
    execute: async () => failed(`${name} is done by the daemon, which did not do it. Nothing happened.`),
  };
}

function wordsOf(input: unknown, member: string): string {
  const value =
    typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[member] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Tools that only talk to the person or wait. Schemas are what the model is told; they follow the daemon's. */
export const hostTools: readonly Tool[] = [
  hostTool(
    'SendUserMessage',
    'Tells the person something, as Markdown. All that the person should read goes through this tool. in_reply_to (m1, m2 ...) is needed when messages of several chats wait for an answer.',
    z.object({
      message: z.string(),
      status: z.optional(z.enum(['normal', 'proactive'])),
      in_reply_to: z.optional(z.string()),
    }),
    'message',
  ),
  hostTool(
    'AskUserQuestion',
    'Asks the person a question and waits for the answer, with or without options to choose from.',
    z.object({
      question: z.string(),
      options: z.optional(z.array(z.object({ label: z.string(), description: z.optional(z.string()) }))),
      multiple: z.optional(z.boolean()),
    }),
    'question',
  ),
  hostTool(
    'NoReply',
    'Leaves messages of a channel unanswered on purpose (small talk in a group). They count as handled; nobody is told.',
    z.object({ reason: z.optional(z.string()), in_reply_to: z.optional(z.string()) }),
    'reason',
  ),
  hostTool(
    'Sleep',
    'Waits for a number of seconds (at most 30 days) without using anything, then goes on.',
    z.object({ seconds: z.number(), reason: z.optional(z.string()) }),
    'seconds',
  ),
];
