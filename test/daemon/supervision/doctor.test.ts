import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { type DoctorInput, doctorChecks, sandboxCheck } from '../../../electron/daemon/supervision/doctor.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';

const input: DoctorInput = {
  home: tmpdir(),
  problems: [],
  sandboxMode: 'off',
  later: [],
  health: { schema: 1, databaseBytes: 3.5 * 1024 ** 3, walBytes: 1.25 * 1024 ** 2, events: 1, full: false },
  environment: { env: {}, source: 'login-shell', shell: '/bin/sh' } as unknown as DoctorInput['environment'],
  settings: defaultSettings(),
  model: { ref: 'offline', from: 'nothing else' },
  running: 2,
  budget: { spent: 1_250_000, most: 5_000_000, stopped: 0 },
  parked: [],
};

async function store(health: DoctorInput['health']) {
  const { name: _name, ...check } =
    (await doctorChecks({ ...input, health })).find(({ name }) => name === 'store') ?? {};
  return check;
}

it.each<[string, DoctorInput['health'], object]>([
  ['sound', input.health, { state: 'ok', detail: '3.5 GB, WAL 1.3 MB, schema 1', next: '' }],
  [
    'full',
    { schema: 1, databaseBytes: 1023.9 * 1024 ** 2, walBytes: 0, events: 1, full: true },
    {
      state: 'fail',
      detail: 'The disk is full (1023.9 MB, WAL 0.0 MB, schema 1).',
      next: 'Free some space; Kairos goes on by itself.',
    },
  ],
  [
    'unreadable',
    { error: 'A part of it is damaged.' },
    {
      state: 'fail',
      detail: 'A part of it is damaged.',
      next: expect.stringMatching(
        /kairos daemon stop.*kairos restore FOLDER --replace.*kairos daemon start --fresh/,
      ),
    },
  ],
])('says of a store that is %s its size in fitting units and what to do', async (_title, health, check) => {
  expect(await store(health)).toEqual(check);
});

it('A login shell that could not be asked is one sentence and one advice that fits.', async () => {
  const environment = {
    env: {},
    source: 'process',
    shell: '/no/shell',
    reason: '"/no/shell" does not exist',
    mend: 'Set SHELL to a shell that exists',
  } as unknown as DoctorInput['environment'];
  const checks = await doctorChecks({ ...input, environment });
  expect(checks.find(({ name }) => name === 'environment')).toEqual({
    name: 'environment',
    state: 'warn',
    detail:
      'The login shell could not be asked: "/no/shell" does not exist. Tools get the daemon\'s own environment.',
    next: 'Set SHELL to a shell that exists, then: kairos daemon restart',
  });
});

it.each([
  ['within it', { stopped: 0 }, { state: 'ok', detail: '$1.25 of $5.00 today', next: '' }],
  [
    'of which nothing is left',
    { stopped: 0, most: 1_000_000 },
    {
      state: 'warn',
      detail: '$1.25 of $1.00 today; nothing is left',
      next: expect.stringContaining('kairos usage raise 5'),
    },
  ],
  [
    'that stopped sessions',
    { stopped: 2, most: null },
    {
      state: 'warn',
      detail: '$1.25 of no limit today; 2 sessions have stopped at a limit',
      next: expect.stringContaining('kairos sessions'),
    },
  ],
])('A budget %s.', async (_title, change, expected) => {
  const checks = await doctorChecks({ ...input, budget: { ...input.budget, ...change } });
  expect(checks.find(({ name }) => name === 'budget')).toEqual({ name: 'budget', ...expected });
});

it.each([
  [
    { ref: 'offline', from: 'nothing else' },
    'offline engine (built in, free): no key and no model server was found',
  ],
  [{ ref: 'openai/gpt-6-sol', from: 'key' }, 'openai/gpt-6-sol: decided by key'],
] as const)('The model %j is said with what decided it.', async (model, detail) => {
  const checks = await doctorChecks({ ...input, model });
  expect(checks.find(({ name }) => name === 'model')).toEqual({
    name: 'model',
    state: 'ok',
    detail,
    next: '',
  });
});

it('Stopped sessions are things to look at, each with its reason and one command; of many the rest is counted.', async () => {
  const refused = 'openai/x answered 401: wrong key. Give a valid key, then take it up again (kairos retry).';
  const spent =
    "the day's limit of $1.00 would be passed. It goes on by itself at midnight, or now with: kairos usage raise 2";
  const parked = [
    { name: 'shop', reason: refused },
    { name: 'bill', reason: spent },
    ...Array.from({ length: 10 }, (_, n) => ({ name: `s${n}`, reason: 'Broken.' })),
  ];
  const checks = (await doctorChecks({ ...input, parked })).filter(({ name }) => name.includes('session '));
  const [last] = (await doctorChecks({ ...input, parked })).slice(-1);
  expect([checks.length, checks.slice(0, 2), last]).toEqual([
    10,
    [
      {
        name: 'session shop',
        state: 'warn',
        detail: `stopped: ${refused}`,
        next: 'Take it up again with: kairos retry shop',
      },
      {
        name: 'session bill',
        state: 'warn',
        detail: "stopped: the day's limit of $1.00 would be passed.",
        next: 'It goes on by itself at midnight, or now with: kairos usage raise 2',
      },
    ],
    {
      name: 'stopped sessions',
      state: 'warn',
      detail: '2 more sessions have stopped',
      next: 'See: kairos sessions',
    },
  ]);
});

it.each([
  ['off', 'ok', 'off, and there is none: It is not installed.', ''],
  ['on', 'warn', 'It is not installed. sandbox.mode is on: every command asks.', 'Install it.'],
  ['required', 'fail', 'It is not installed. sandbox.mode is required: no command can run.', 'Install it.'],
] as const)('a sandbox that is not there, with the mode %s', (mode, state, detail, next) => {
  const missing = { kind: 'missing', why: 'It is not installed.', next: 'Install it.' } as const;
  expect(sandboxCheck(missing, mode)).toEqual({ name: 'sandbox', state, detail, next });
});

it('a sandbox that works, with and without a way to the network', () => {
  const bubblewrap = { program: '/usr/bin/bwrap', disablesNamespaces: true };
  const ready = { kind: 'ready', by: 'bubblewrap', bubblewrap, socat: '/usr/bin/socat' } as const;
  expect([
    sandboxCheck(ready, 'off').detail,
    sandboxCheck(ready, 'required').detail,
    sandboxCheck({ ...ready, socat: null }, 'on').state,
    sandboxCheck({ kind: 'ready', by: 'seatbelt', program: '/usr/bin/sandbox-exec' }, 'on').detail,
  ]).toEqual([
    'off, can be switched on: bubblewrap works',
    'required: bubblewrap works',
    'warn',
    'on: sandbox-exec works',
  ]);
});

it('names a problem of a file, a rule or a hook shortly, and what waits for a restart', async () => {
  const problem = (code: string) => ({ code, message: `about ${code}`, next: 'do it', since: 0 });
  const codes = [
    'config:/p/.kairos/settings.json:why',
    'rule:settings.json:Bsh',
    'hook PreToolUse: ./c.sh',
    'port',
  ];
  const checks = await doctorChecks({
    ...input,
    problems: codes.map(problem),
    later: ['logs.level', 'bridge.port'],
  });
  expect(checks.slice(-5).map(({ name, state, detail }) => [name, state, detail])).toEqual([
    ['settings', 'warn', 'changed since the start, and not in force yet: logs.level, bridge.port'],
    ['settings', 'fail', `about ${codes[0]}`],
    ['settings', 'fail', `about ${codes[1]}`],
    ['hook', 'fail', `about ${codes[2]}`],
    ['port', 'fail', 'about port'],
  ]);
});
