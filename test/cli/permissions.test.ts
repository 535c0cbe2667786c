import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ruleMeaning } from '../../electron/cli/output/rule-text.ts';
import { createHarness, type Harness } from './support/cli-harness.ts';
import { type FakeBridge, startFakeBridge } from './support/fake-bridge.ts';
import { sampleStanding, sampleTime } from './support/samples.ts';

let harness: Harness;
let bridge: FakeBridge;
beforeEach(async () => {
  harness = createHarness();
  bridge = await startFakeBridge();
  await harness.announce(bridge);
});
afterEach(async () => {
  await bridge.close();
  harness.dispose();
});

const everywhere = 'in every session';
test.each([
  [
    'allow',
    'Bash',
    'every use of Bash runs without a question unless a rule or what is protected demands one',
  ],
  ['deny', '*', 'every use of every tool never runs'],
  ['ask', 'Bash(git push)', 'the command "git push" as it stands asks every time, in every mode'],
  ['deny', 'Bash(git push:*)', 'every command "git push", alone or with more behind it, never runs'],
  ['deny', 'Bash(git * --force)', 'every command of the shape "git * --force" never runs'],
  ['ask', 'Edit(/src/**)', 'Edit on files that match "/src/**" asks every time, in every mode'],
  ['deny', 'WebFetch(domain:x.org)', 'WebFetch of x.org never runs'],
  ['ask', 'mcp__mail__*', 'every tool whose name begins with mcp__mail__ asks every time, in every mode'],
] as const)('%s %s is said in words', (effect, rule, meaning) => {
  const said = ruleMeaning(effect, rule, everywhere);
  expect(said?.toLowerCase()).toBe(`${meaning}, ${everywhere}.`.toLowerCase());
});

test.each([
  ['Bash(sudo:*)', /^It lets nothing run: sudo runs other commands/],
  ['Bash(bash *)', /^It lets nothing run: bash runs other commands/],
  ['Bash(git *)', /^Every command "git", alone/],
  ['Bash(*)', /^Every command of the shape/],
  ['Bash(sudo ls)', /^The command "sudo ls" as it stands/],
] as const)('storing allow %s says what it covers', (rule, meaning) => {
  expect(ruleMeaning('allow', rule, everywhere)).toMatch(meaning);
});

test('rules are listed with where they hold', async () => {
  const rule = {
    id: 'rul_1',
    effect: 'allow',
    rule: 'Bash(ls:*)',
    session: null,
    sessionName: null,
    createdAt: sampleTime,
  };
  const inShop = { ...rule, id: 'rul_2', rule: 'Bash(ls)', session: 'ses_1', sessionName: 'shop' };
  const inNameless = { ...inShop, id: 'rul_3', sessionName: null };
  const standing = [
    {
      ...rule,
      id: null,
      source: 'project',
      file: '/w/.kairos/settings.json',
      createdAt: null,
      effect: 'deny',
    },
    { ...rule, source: 'always', file: null },
  ];
  const answer = { ...sampleStanding(standing), notices: ['Rule "x" is none: ignored.'], untrusted: ['/w'] };
  bridge.routes['GET /rules/standing'] = () => ({ body: answer });
  bridge.routes['GET /rules'] = () => ({ body: [rule, inShop, inNameless] });
  bridge.routes['POST /rules'] = () => ({ status: 201, body: { rule, notice: 'It reaches far.' } });
  const printed = [
    await harness.run(['rules']),
    await harness.run(['rules', 'add', 'allow', 'Bash(ls:*)']),
  ].map(({ code, out, err }) =>
    `${code} ${out}${err}`.replace(
      / {2}\d{4}-\d\d-\d\d +|  \d+ \w+ ago +|  now +|  in \d+ \w+ +/g,
      '  WHEN  ',
    ),
  );
  expect(printed).toEqual([
    [
      '0 deny   Bash(ls:*)  /w/.kairos/settings.json',
      'allow  Bash(ls:*)  everywhere                WHEN  rul_1',
      'allow  Bash(ls)    only in shop              WHEN  rul_2',
      'allow  Bash(ls)    only in ses_1             WHEN  rul_3',
      '! Rule "x" is none: ignored.',
      'What /w brings beside denials and questions does not hold. See it with: kairos trust /w\n',
    ].join('\n'),
    [
      '0 Stored: allow Bash(ls:*) (rul_1)',
      'Every command "ls", alone or with more behind it, runs without a question unless a rule or what is protected demands one, in every session.',
      'It reaches far.\n',
    ].join('\n'),
  ]);
});

test('a rule that is taken back says what it no longer does, and where to see what decides now', async () => {
  const rule = { rule: 'Bash(rm:*)', session: null, sessionName: null, createdAt: sampleTime };
  const rules = [
    { ...rule, id: 'rul_1', effect: 'deny' },
    { ...rule, id: 'rul_2', effect: 'ask', session: 'ses_1', sessionName: 'shop' },
    { ...rule, id: 'rul_3', effect: 'allow' },
  ];
  bridge.routes['GET /rules'] = () => ({ body: rules });
  for (const { id } of rules) bridge.routes[`DELETE /rules/${id}`] = () => ({ body: { revoked: true } });
  const said = await Promise.all(
    rules.map(async ({ id }) => (await harness.run(['rules', 'revoke', id])).out),
  );
  const hint = 'What becomes of a call now: kairos rules explain TOOL INPUT\n';
  expect(said).toEqual([
    `Gone: deny Bash(rm:*). It no longer denies: other rules and the mode decide, so the call may ask or run unasked. ${hint}`,
    `Gone in shop: ask Bash(rm:*). It no longer asks: other rules and the mode decide, so the call may run unasked. ${hint}`,
    `Gone: allow Bash(rm:*). It no longer allows: Kairos asks again, unless another rule or the mode decides. ${hint}`,
  ]);
});

const decided = {
  kind: 'decided',
  behavior: 'deny',
  by: 'rule (project)',
  rule: {
    id: null,
    effect: 'deny',
    rule: 'Bash(rm:*)',
    source: 'project',
    file: '/w/.kairos/settings.json',
    session: null,
    sessionName: null,
    createdAt: null,
  },
  reason: null,
  mode: 'default',
  dir: '/w',
  session: null,
  access: 'command',
  subject: 'rm -r x',
  paths: [],
  sandboxed: false,
  untrusted: ['/w'],
};

test('explain asks about a command, a path or a whole input, here or in a session, and tells what decided', async () => {
  bridge.routes['POST /rules/explain'] = () => ({ body: decided });
  const first = await harness.run(['rules', 'explain', 'Bash', 'rm -r x']);
  await harness.run(['rules', 'explain', 'Read', '{"file_path":"a"}', '--session', 's', '--mode', 'plan']);
  const both = await harness.run(['rules', 'explain', 'Bash', 'x', '--session', 's', '--dir', '/']);
  bridge.routes['POST /rules/explain'] = () => ({ body: { kind: 'bad', message: 'There is no tool "X".' } });
  const bad = await harness.run(['rules', 'explain', 'X', 'x']);
  expect([first, both.code, bad, bridge.seen.map(({ body }) => body)]).toEqual([
    {
      code: 0,
      out: [
        'Does not run: rule deny Bash(rm:*) (/w/.kairos/settings.json)',
        '  in /w, mode default',
        '  What /w brings was left out: nobody trusts it. See: kairos trust /w\n',
      ].join('\n'),
      err: '',
    },
    2,
    {
      code: 1,
      out: '',
      err: 'No such call could be made: There is no tool "X". Correct the input. See: kairos rules explain --help\n',
    },
    [
      { tool: 'Bash', input: { kind: 'text', text: 'rm -r x' }, dir: expect.any(String) },
      { tool: 'Read', input: { kind: 'json', value: { file_path: 'a' } }, session: 's', mode: 'plan' },
      { tool: 'X', input: { kind: 'text', text: 'x' }, dir: expect.any(String) },
    ],
  ]);
});

const digest = 'abcdef0123456789'.repeat(4);
const view = {
  dir: '/w',
  digest,
  state: 'open',
  preview: '.kairos/settings.json\n  allow Bash',
  at: null,
  by: null,
};

test('trust shows what a directory brings; what is accepted is what was shown', async () => {
  const dir = join(realpathSync(harness.home.home), 'project');
  mkdirSync(dir);
  bridge.routes['GET /trust'] = () => ({ body: [view] });
  bridge.routes['POST /trust'] = () => ({ body: { trusted: true } });
  bridge.routes['POST /trust/revoke'] = () => ({ body: { revoked: true } });
  const shown = await harness.run(['trust', dir]);
  const other = await harness.run(['trust', dir, '--accept', '0123456789ab']);
  const wrong = await harness.run(['trust', dir, '--accept', 'yes']);
  const accepted = await harness.run(['trust', dir, '--accept', 'abcdef012345']);
  const revoked = await harness.run(['trust', dir, '--revoke']);
  const posts = bridge.seen.flatMap(({ route, body }) => (route.startsWith('POST') ? [[route, body]] : []));
  expect([shown.out, other.code, wrong.code, accepted.out, revoked.out, posts]).toEqual([
    [
      '/w was not decided on as it is: what it brings does not hold.',
      '    .kairos/settings.json',
      '      allow Bash',
      '    ! Lets every command run without a question: allow Bash',
      'To trust exactly this: kairos trust /w --accept abcdef012345\n',
    ].join('\n'),
    5,
    2,
    'Trusted: what /w brings holds from now on, until it changes.\n',
    'No longer trusted: what it brings does not hold.\n',
    [
      ['POST /trust', { dir: realpathSync(dir), digest, trusted: true }],
      ['POST /trust/revoke', { dir: realpathSync(dir) }],
    ],
  ]);
});
