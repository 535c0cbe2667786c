import { permissionModeSchema } from '../../shared/domain/sessions.ts';
import type { CommandSpec, OptionSpec, PositionalSpec } from './arguments/command-spec.ts';

const ID: PositionalSpec = { name: 'ID', required: true };
const session = (summary: string): OptionSpec => ({ name: 'session', kind: 'text', value: 'NAME', summary });
const dir: OptionSpec = {
  name: 'dir',
  kind: 'text',
  value: 'DIR',
  summary: 'in a new session there (default: here)',
};

const list: Pick<CommandSpec, 'group' | 'positionals' | 'options' | 'notes' | 'load'> = {
  group: 'Decide',
  positionals: [],
  options: [session('in this session'), dir],
  notes: [
    'From managed settings, the command line of the session, files of the project, your settings, and what you stored.',
    'deny goes before ask, ask before allow; of one effect the first in the list decides.',
  ],
  load: async () => ({ run: (await import('./commands/rules.ts')).list }),
};

/** Commands about rules and trust, in the order of the help. */
export const permissionCommands: readonly CommandSpec[] = [
  { ...list, path: 'rules', summary: 'what is allowed, asked or denied without a question' },
  { ...list, path: 'rules list', summary: 'the same' },
  {
    path: 'rules explain',
    group: 'Decide',
    summary: 'what would become of a call, and which rule says so',
    positionals: [
      { name: 'TOOL', required: true, summary: 'Bash, Read, Edit, WebFetch ...' },
      { name: 'INPUT', required: true, summary: 'a command, a path, an address, or the whole input as JSON' },
    ],
    options: [
      session('in this session'),
      dir,
      {
        name: 'mode',
        kind: 'choice',
        choices: permissionModeSchema.options,
        summary: 'as if it were in this mode',
      },
    ],
    notes: ['Nothing is run. For example: kairos rules explain Bash "git push --force"'],
    load: async () => ({ run: (await import('./commands/rules-explain.ts')).run }),
  },
  {
    path: 'rules add',
    group: 'Decide',
    summary: 'store a rule',
    positionals: [
      { name: 'EFFECT', required: true, choices: ['allow', 'ask', 'deny'] },
      {
        name: 'RULE',
        required: true,
        summary: 'a whole tool (Bash), or some uses of it: "Bash(git status:*)", "Edit(/src/**)"',
      },
    ],
    options: [session('it holds in this session alone')],
    notes: [
      'For example: kairos rules add allow "Bash(npm test:*)"',
      'deny goes before ask, ask before allow.',
    ],
    load: async () => ({ run: (await import('./commands/rules.ts')).add }),
  },
  {
    path: 'rules revoke',
    group: 'Decide',
    summary: 'take a rule back, also one of a single session',
    positionals: [ID],
    options: [],
    load: async () => ({ run: (await import('./commands/rules.ts')).revoke }),
  },
  {
    path: 'rules remove',
    group: 'Decide',
    summary: 'the same',
    positionals: [ID],
    options: [],
    load: async () => ({ run: (await import('./commands/rules.ts')).revoke }),
  },
  {
    path: 'trust',
    group: 'Decide',
    summary: 'whether the rules and hooks of a directory hold',
    positionals: [{ name: 'DIR', required: false, summary: 'default: here' }],
    options: [
      {
        name: 'accept',
        kind: 'text',
        value: 'DIGEST',
        summary: 'trust it as it is; DIGEST is shown with what it brings',
      },
      { name: 'revoke', kind: 'flag', summary: 'trust it no longer' },
      { name: 'list', kind: 'flag', summary: 'every directory that was decided on' },
    ],
    notes: [
      'Trust is in exactly what is shown: when that changes, Kairos asks again.',
      'Rules of a directory that deny or ask hold without trust.',
    ],
    load: async () => ({ run: (await import('./commands/trust.ts')).run }),
  },
];
