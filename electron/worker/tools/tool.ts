import * as z from 'zod/mini';
import { badInputText } from '../../../shared/base/bad-input-text.ts';
import type { Clock, Ids, StopSignal } from '../../../shared/base/ports.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { RootPattern } from '../../../shared/domain/permissions/path-patterns.ts';
import type { LinkInput, LinkOutput } from '../../../shared/protocol/worker-link.ts';
import type { Prepared } from '../agent/ports.ts';
import type { SessionSandbox } from '../sandbox/session-sandbox.ts';
import type { TaskBook } from './tasks/task-book.ts';

/** What tools of one session work with. */
export interface ToolContext {
  /** The session's directory as it was given; may be a symlink or gone. */
  readonly dir: string;
  /** Folder for spill files. */
  readonly scratch: string;
  /** The home of Kairos, which no search looks into. */
  readonly home: string;
  /** While a search runs: lists of patterns whose files it does not show; absent: none. */
  readonly hidden?: readonly (readonly RootPattern[])[];
  /** The whole environment of shells; the first time it may take as long as the person's login shell. */
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
  /** Where commands run shut in. */
  readonly sandbox: Pick<SessionSandbox, 'config' | 'state' | 'enter'>;
  /** The session's background tasks. */
  readonly tasks: Pick<TaskBook, 'running' | 'start' | 'stop'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Stores a picture for the model; its SHA-256. */
  readonly putBlob: (bytes: Uint8Array) => Promise<string>;
  /** Stores a file (real path) that is to go with a message. */
  readonly keepFile: (path: string) => Promise<LinkOutput<'putFile'>>;
  /** Looks through earlier conversations. */
  readonly history: {
    search(wanted: LinkInput<'searchTranscripts'>): Promise<LinkOutput<'searchTranscripts'>>;
  };
}

/** A tool as the worker runs it. `prepare` only looks; `execute` gets facts whose decision is stored. */
export interface Tool {
  readonly name: string;
  /** What the model reads about it. */
  readonly description: string;
  readonly schema: z.ZodMiniType;
  /** Its schema stands in every request; the others are found by `FindTools` and called through `UseTool`. */
  readonly hot: boolean;
  /** What it is for, in a few words: how `FindTools` tells that it is there. Absent: its name says it. */
  readonly topic?: string;
  /** Only another name of a tool that is listed: it works and is never told. */
  readonly otherName?: true;
  prepare(input: unknown, context: ToolContext): Promise<Prepared>;
  /** `call`: id of the call that runs. */
  execute(facts: CallFacts, context: ToolContext, signal: StopSignal, call: string): Promise<CallResult>;
}

/** The facts that differ from tool to tool; the rest follows from the tool and its context. */
export type OwnFacts = Pick<
  CallFacts,
  'subject' | 'paths' | 'preimages' | 'preview' | 'description' | 'cwd'
> &
  Partial<Pick<CallFacts, 'sandboxed' | 'shell'>>;

/** A tool with its input as a type: the schema is held against the input before both functions. */
export interface TypedTool<Input> {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodMiniType<Input>;
  /** Absent: not hot. */
  readonly hot?: boolean;
  readonly topic?: string;
  readonly class: CallFacts['class'];
  readonly access: CallFacts['access'];
  /** The facts, or one sentence for the model about why it cannot run. */
  look(input: Input, context: ToolContext): Promise<OwnFacts | string>;
  act(
    input: Input,
    facts: CallFacts,
    context: ToolContext,
    signal: StopSignal,
    call: string,
  ): Promise<CallResult>;
}

/** Wraps a typed tool so that bad input becomes a short, precise sentence for the model. */
export function defineTool<Input>(tool: TypedTool<Input>): Tool {
  const { name, description, schema, hot = false, topic } = tool;
  return {
    name,
    description,
    schema,
    hot,
    ...(topic === undefined ? {} : { topic }),
    async prepare(input, context) {
      const parsed = schema.safeParse(input);
      if (!parsed.success) return { kind: 'bad', message: badInputText(name, parsed.error.issues) };
      const own = await tool.look(parsed.data, context);
      if (typeof own === 'string') return { kind: 'bad', message: `${name}: ${own}` };
      return { kind: 'ready', facts: { tool: name, input, class: tool.class, access: tool.access, ...own } };
    },
    async execute(facts, context, signal, call) {
      return tool.act(z.parse(schema, facts.input), facts, context, signal, call);
    },
  };
}

/** A result with outcome `ok`. */
export function ok(output: string): CallResult {
  return { outcome: 'ok', output };
}

/** A result that tells the model what went wrong. */
export function failed(output: string): CallResult {
  return { outcome: 'error', output };
}
