import * as z from 'zod/mini';
import { visibleText } from '../../../../shared/base/visible-text.ts';
import { isObject } from '../../../../shared/base/json.ts';
import { realDirectory } from '../places.ts';
import { failed, type Tool } from '../tool.ts';
import { findAttachments } from './find-attachments.ts';

/** Set by the bundler; run from the sources every feature is there. */
declare const __BUILD_KAIROS__: boolean | undefined;
declare const __BUILD_KAIROS_BRIEF__: boolean | undefined;

const hotTools: ReadonlySet<string> = new Set(['SendUserMessage', 'AskUserQuestion']);

interface HostTool {
  readonly name: string;
  readonly description: string;
  readonly topic?: string;
  readonly schema: z.ZodMiniType;
  /** Member of the input that is shown. */
  readonly words: string;
  /** Paths of files that go with the call, as far as the input can be read. */
  readonly files?: (input: unknown) => readonly string[];
}

/** Host tools are done by the daemon in the commit that records them, which also checks their input (one truth, there). */
function hostTool({ name, description, topic, schema, words, files }: HostTool): Tool {
  return {
    name,
    description,
    schema,
    hot: hotTools.has(name),
    ...(topic === undefined ? {} : { topic }),
    async prepare(input, context) {
      const place = await realDirectory(context);
      const cwd = typeof place === 'string' ? context.dir : place.cwd;
      const paths = files?.(input) ?? [];
      const looked = paths.length === 0 ? null : await findAttachments(paths, cwd, context);
      return {
        kind: 'ready',
        facts: {
          tool: name,
          input,
          class: 'local',
          access: 'person',
          preview: visibleText(wordsOf(input, words)),
          cwd,
          subject: '',
          paths: looked?.found.map(({ real }) => real) ?? [],
          preimages: [],
          description: '',
          ...(looked === null ? {} : { files: looked }),
        },
      };
    },
    execute: async () => failed(`${name} is done by the daemon, which did not do it. Nothing happened.`),
  };
}

function memberOf(input: unknown, member: string): unknown {
  return isObject(input) ? input[member] : undefined;
}

function wordsOf(input: unknown, member: string): string {
  const value = memberOf(input, member);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function attachmentsOf(input: unknown): readonly string[] {
  const given = memberOf(input, 'attachments');
  return Array.isArray(given) ? given.filter((path) => typeof path === 'string') : [];
}

const statusSchema = z.optional(z.enum(['normal', 'proactive']));

const sendSchema = z.object({
  message: z.string(),
  attachments: z.optional(z.array(z.string())),
  status: statusSchema,
  in_reply_to: z.optional(z.string()),
});

/** All that people read in brief mode; `Brief` is its older name. */
function messageTools(): Tool[] {
  const send = {
    description:
      'Tells the person something, as Markdown. All that the person should read goes through this tool. attachments: paths of files that go with it (at most 10 of 30 MB, in the session directory or the folder of long outputs). in_reply_to (m1, m2 ...) is needed when messages of several chats wait for an answer.',
    schema: sendSchema,
    words: 'message',
    files: attachmentsOf,
  };
  return [
    hostTool({ name: 'SendUserMessage', ...send }),
    { ...hostTool({ name: 'Brief', ...send }), otherName: true },
  ];
}

function fileTool(): Tool {
  return hostTool({
    name: 'send_user_file',
    topic: 'sending the person a file',
    description:
      'Sends the person one file (at most 30 MB, in the session directory or the folder of long outputs), with a caption where that helps.',
    schema: z.object({
      path: z.string(),
      caption: z.optional(z.string()),
      status: statusSchema,
      in_reply_to: z.optional(z.string()),
    }),
    words: 'caption',
    files: (input) => {
      const path = memberOf(input, 'path');
      return typeof path === 'string' && path !== '' ? [path] : [];
    },
  });
}

/** Tools that only talk to the person, keep the model's own list, or wait. Schemas are what the model is told; they follow the daemon's. */
export const hostTools: readonly Tool[] = [
  // Spelled out: the bundler leaves the functions out for a constant, not for a name of one.
  ...(typeof __BUILD_KAIROS_BRIEF__ === 'undefined' || __BUILD_KAIROS_BRIEF__ === true ? messageTools() : []),
  ...(typeof __BUILD_KAIROS__ === 'undefined' || __BUILD_KAIROS__ === true ? [fileTool()] : []),
  hostTool({
    name: 'AskUserQuestion',
    description:
      'Asks the person a question and waits for the answer, with or without options to choose from (at most 26, each with another label). The person may also answer in other words.',
    schema: z.object({
      question: z.string(),
      header: z.optional(z.string()),
      options: z.optional(z.array(z.object({ label: z.string(), description: z.optional(z.string()) }))),
      multiple: z.optional(z.boolean()),
    }),
    words: 'question',
  }),
  hostTool({
    name: 'TodoWrite',
    topic: 'a list of what is to do',
    description:
      'Keeps your own list of what is to do in this session (at most 100 items); each call replaces the whole list. For work of several steps: write it at the beginning, keep it true as you go.',
    schema: z.object({
      todos: z.array(
        z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }),
      ),
    }),
    words: 'todos',
  }),
  hostTool({
    name: 'NoReply',
    topic: 'messages of a channel that need no answer',
    description:
      'Leaves messages of a channel unanswered on purpose (small talk in a group). They count as handled; nobody is told.',
    schema: z.object({ reason: z.optional(z.string()), in_reply_to: z.optional(z.string()) }),
    words: 'reason',
  }),
  hostTool({
    name: 'ExitPlanMode',
    topic: 'presenting a plan in plan mode',
    description:
      'Only in plan mode: shows the person your plan (Markdown: what will be changed, how, and how it is checked) and waits for approval, which ends plan mode.',
    schema: z.object({ plan: z.string() }),
    words: 'plan',
  }),
  hostTool({
    name: 'Sleep',
    topic: 'waiting',
    description: 'Waits for a number of seconds (at most 30 days) without using anything, then goes on.',
    schema: z.object({ seconds: z.number(), reason: z.optional(z.string()) }),
    words: 'seconds',
  }),
];
