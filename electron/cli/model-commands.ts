import { usageGroupSchema } from '../../shared/protocol/bridge.ts';
import type { CommandSpec, OptionSpec, PositionalSpec } from './arguments/command-spec.ts';

const MODEL: PositionalSpec = {
  name: 'MODEL',
  required: true,
  summary: 'offline, or a provider and its model as in anthropic/claude-sonnet-5-5',
};

const session = (summary: string): OptionSpec => ({ name: 'session', kind: 'text', value: 'NAME', summary });

/** Commands about models and what they cost, in the order of the help. */
export const modelCommands: readonly CommandSpec[] = [
  {
    path: 'models',
    group: 'Kairos itself',
    summary: 'which models there are, and which one new sessions get',
    positionals: [],
    options: [],
    notes: [
      'Keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY) or from a program',
      'that models.providers.NAME.keyCommand in settings.json names. Prices are dollars per million tokens.',
    ],
    load: async () => ({ run: (await import('./commands/models.ts')).list }),
  },
  {
    path: 'models list',
    group: 'Kairos itself',
    summary: 'the same',
    positionals: [],
    options: [],
    load: async () => ({ run: (await import('./commands/models.ts')).list }),
  },
  {
    path: 'models test',
    group: 'Kairos itself',
    summary: 'ask a model for one word (a small real request)',
    positionals: [MODEL],
    options: [],
    load: async () => ({ run: (await import('./commands/models.ts')).test }),
  },
  {
    path: 'models set',
    group: 'Kairos itself',
    summary: 'give new sessions, or one session, another model',
    positionals: [MODEL],
    options: [session('only this session, from its next step on')],
    notes: ['A session that stopped because of its model goes on.'],
    load: async () => ({ run: (await import('./commands/models.ts')).set }),
  },
  {
    path: 'usage',
    group: 'Kairos itself',
    summary: 'tokens and money, and the limits',
    positionals: [],
    options: [
      { name: 'days', kind: 'number', value: 'N', summary: 'so many days up to today (default 1)' },
      {
        name: 'by',
        kind: 'choice',
        choices: usageGroupSchema.options,
        summary: 'one line for each (default: model; day with --days)',
      },
      session('only this session'),
    ],
    load: async () => ({ run: (await import('./commands/usage.ts')).show }),
  },
  {
    path: 'usage raise',
    group: 'Kairos itself',
    summary: 'raise a limit and let what it stopped go on',
    positionals: [
      { name: 'AMOUNT', required: true, summary: 'so many dollars more, or tokens with --tokens' },
    ],
    options: [
      session('the limit of this session'),
      { name: 'total', kind: 'flag', summary: 'the limit over all time' },
      { name: 'tokens', kind: 'flag', summary: "the session's tokens of today" },
    ],
    notes: ["Without options: today's limit, for today. For good: budgets in settings.json."],
    load: async () => ({ run: (await import('./commands/usage.ts')).raise }),
  },
];
