import { sandboxModeSchema } from '../../shared/domain/sandbox.ts';
import { permissionModeSchema, sessionKindSchema } from '../../shared/domain/sessions.ts';
import { verdictScopeSchema } from '../../shared/domain/prompts.ts';
import type { CommandSpec, OptionSpec, PositionalSpec } from './arguments/command-spec.ts';
import { modelCommands } from './model-commands.ts';
import { modeNotes } from './output/mode-text.ts';
import { ownCommands } from './own-commands.ts';
import { permissionCommands } from './permission-commands.ts';

const SESSION: PositionalSpec = { name: 'SESSION', required: true };
const CODE: PositionalSpec = { name: 'CODE', required: true };

const dir: OptionSpec = {
  name: 'dir',
  kind: 'text',
  value: 'DIR',
  summary: 'where a new session works (default: here)',
};
const mode: OptionSpec = {
  name: 'mode',
  kind: 'choice',
  choices: permissionModeSchema.options,
  summary: 'what runs without a question',
};
const model: OptionSpec = {
  name: 'model',
  kind: 'text',
  value: 'MODEL',
  summary: 'model of a new session (or KAIROS_MODEL)',
};
const brief: OptionSpec = {
  name: 'brief',
  kind: 'flag',
  summary: 'brief mode: you read only what is sent to you',
};
const ruleOption = (name: string, summary: string): OptionSpec => ({
  name,
  kind: 'list',
  value: 'RULE',
  summary,
});
/** What a new session may be given beside its mode. */
const wishes: readonly OptionSpec[] = [
  ruleOption('allow', 'a rule of the new session: runs unasked; may be repeated'),
  ruleOption('ask', 'a rule of the new session: always asks'),
  ruleOption('deny', 'a rule of the new session: never runs'),
  {
    name: 'sandbox',
    kind: 'choice',
    choices: sandboxModeSchema.options,
    summary: 'whether commands of the new session run shut in; required: not without',
  },
];
const verdictNote = 'Exit codes: 0 accepted, 1 unknown code, 5 not allowed, answered before or expired.';

const talk: readonly CommandSpec[] = [
  {
    path: 'send',
    group: 'Talk',
    summary: 'give Kairos a message',
    positionals: [{ name: 'TEXT', required: true }],
    options: [
      {
        name: 'session',
        kind: 'text',
        value: 'NAME',
        summary: 'name or id; a name that is new makes a session',
      },
      dir,
      mode,
      model,
      brief,
      ...wishes,
      { name: 'wait', kind: 'flag', summary: 'return when this message is settled, print the replies' },
      {
        name: 'timeout',
        kind: 'number',
        value: 'SECONDS',
        summary: 'wait no longer than this (exit code 4)',
      },
      {
        name: 'uuid',
        kind: 'text',
        value: 'U',
        summary: 'identity of the message: sending it again stores it once',
      },
    ],
    notes: [
      'TEXT "-" reads the message from standard input.',
      'What asks is shown on stderr with the commands that answer it; asking does not end the wait.',
      'Ctrl+C leaves (exit code 130); the agent goes on.',
      'A session that exists keeps its directory and model; --mode changes its mode (as kairos mode does).',
    ],
    load: () => import('./commands/send.ts'),
  },
  {
    path: 'assistant',
    group: 'Talk',
    summary: 'follow a session in this terminal: read, write, answer',
    positionals: [
      { ...SESSION, required: false, summary: 'name or id; without it: the only one, a choice, or a set-up' },
    ],
    options: [
      { name: 'prompt', kind: 'text', value: 'TEXT', summary: 'send this first' },
      { name: 'plain', kind: 'flag', summary: 'append only, numbers, for screen readers (or ACCESSIBLE=1)' },
    ],
    notes: [
      'Ctrl+C clears what you typed; again, it leaves: the agent goes on. ? lists the keys.',
      'It starts Kairos where it does not run. A viewer reads, writes and answers; it never interrupts or changes settings.',
    ],
    load: () => import('./viewer/assistant.ts'),
  },
  {
    path: 'search',
    group: 'Talk',
    summary: 'find messages in all sessions',
    positionals: [{ name: 'TEXT', required: true }],
    options: [{ name: 'limit', kind: 'number', value: 'N', summary: 'at most this many (default 20)' }],
    load: () => import('./commands/search.ts'),
  },
  {
    path: 'export',
    group: 'Talk',
    summary: 'print the log of a session as JSON lines',
    positionals: [SESSION],
    options: [],
    load: () => import('./commands/export.ts'),
  },
];

const decide: readonly CommandSpec[] = [
  {
    path: 'approvals',
    group: 'Decide',
    summary: 'what waits for your decision',
    positionals: [],
    options: [{ name: 'all', kind: 'flag', summary: 'decided and expired ones too' }],
    load: () => import('./commands/approvals.ts'),
  },
  {
    path: 'approve',
    group: 'Decide',
    summary: 'allow what asks',
    positionals: [CODE],
    options: [
      {
        name: 'scope',
        kind: 'choice',
        choices: verdictScopeSchema.options,
        summary: 'once (default), this session, or always (stores the rule shown; not where none is shown)',
      },
    ],
    notes: [verdictNote],
    load: async () => ({ run: (await import('./commands/verdict.ts')).approve }),
  },
  {
    path: 'deny',
    group: 'Decide',
    summary: 'refuse what asks',
    positionals: [CODE],
    options: [{ name: 'reason', kind: 'text', value: 'R', summary: 'what Kairos is told' }],
    notes: [verdictNote],
    load: async () => ({ run: (await import('./commands/verdict.ts')).deny }),
  },
  {
    path: 'answer',
    group: 'Decide',
    summary: 'answer a question by letter or in words',
    positionals: [
      CODE,
      {
        name: 'TEXT',
        required: true,
        summary:
          'letter, number or label of an option ("A", "A, C" where several may be chosen), or your own words',
      },
    ],
    options: [
      {
        name: 'own-words',
        kind: 'flag',
        summary: 'TEXT is meant as it is, even when it is as short as a letter',
      },
    ],
    notes: [verdictNote],
    load: async () => ({ run: (await import('./commands/verdict.ts')).answer }),
  },
];

const sessions: readonly CommandSpec[] = [
  {
    path: 'sessions',
    group: 'Sessions',
    summary: 'all sessions, what asks first',
    positionals: [],
    options: [{ name: 'all', kind: 'flag', summary: 'archived and internal ones too' }],
    load: () => import('./commands/sessions.ts'),
  },
  {
    path: 'sessions new',
    group: 'Sessions',
    summary: 'make a session that waits for its first message',
    positionals: [],
    options: [
      { name: 'name', kind: 'text', value: 'NAME', summary: 'how to call it' },
      dir,
      {
        name: 'kind',
        kind: 'choice',
        choices: sessionKindSchema.options.filter((kind) => kind !== 'daemon-worker'),
        summary: 'interactive (default), one-shot, or long-lived assistant',
      },
      mode,
      model,
      brief,
      ...wishes,
    ],
    load: () => import('./commands/sessions-new.ts'),
  },
  {
    path: 'sessions archive',
    group: 'Sessions',
    summary: 'put a session away; its log stays',
    positionals: [SESSION],
    options: [],
    load: async () => ({ run: (await import('./commands/session-act.ts')).archive }),
  },
  {
    path: 'interrupt',
    group: 'Sessions',
    summary: 'stop what a session does now',
    positionals: [SESSION],
    options: [],
    load: async () => ({ run: (await import('./commands/session-act.ts')).interrupt }),
  },
  {
    path: 'pause',
    group: 'Sessions',
    summary: 'run only your own messages, in one session or everywhere',
    positionals: [{ ...SESSION, required: false }],
    options: [],
    load: async () => ({ run: (await import('./commands/session-act.ts')).pause }),
  },
  {
    path: 'resume',
    group: 'Sessions',
    summary: 'end a pause',
    positionals: [{ ...SESSION, required: false }],
    options: [],
    load: async () => ({ run: (await import('./commands/session-act.ts')).resume }),
  },
  {
    path: 'retry',
    group: 'Sessions',
    summary: 'take a stopped session up again',
    positionals: [SESSION],
    options: [],
    load: async () => ({ run: (await import('./commands/session-act.ts')).retry }),
  },
  {
    path: 'rename',
    group: 'Sessions',
    summary: 'give a session a name',
    positionals: [SESSION, { name: 'NAME', required: true }],
    options: [],
    load: async () => ({ run: (await import('./commands/session-act.ts')).rename }),
  },
  {
    path: 'mode',
    group: 'Sessions',
    summary: 'see or change what a session may do unasked',
    positionals: [SESSION, { name: 'MODE', required: false, choices: permissionModeSchema.options }],
    options: [],
    notes: modeNotes,
    load: async () => ({ run: (await import('./commands/session-act.ts')).mode }),
  },
];

/** Every command, in the order of the help. */
export const commandTable: readonly CommandSpec[] = [
  ...talk,
  ...decide,
  ...permissionCommands,
  ...sessions,
  ...modelCommands,
  ...ownCommands,
];
