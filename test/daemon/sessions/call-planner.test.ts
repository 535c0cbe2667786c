import { describe, expect, it } from 'vitest';
import type { PromptRow } from '../../../electron/daemon/events/rows.ts';
import { callDigest, type PlanInput, planCall } from '../../../electron/daemon/sessions/call-planner.ts';
import { parseRule } from '../../../shared/domain/permissions/rules.ts';
import { sha256 } from '../../support/sim/sim-tools.ts';
import { commandFacts } from '../support/daemon-rig.ts';

const facts = { ...commandFacts('rm x'), description: 'Tidy up' };
const input: PlanInput = {
  facts,
  digest: 'digest',
  mode: 'default',
  dir: '/w',
  rules: [],
  self: { home: '/home/.kairos', scratch: '/home/.kairos/scratch', words: [] },
  prompt: null,
  promptLifeMs: 1000,
};
const prompt: PromptRow = {
  id: 'pmt_1',
  code: 'abcde',
  kind: 'approval',
  state: 'decided',
  session: 'ses_1',
  sessionName: null,
  call: 'cal_1',
  tool: 'Bash',
  headline: '',
  description: '',
  preview: '',
  options: [],
  multiple: false,
  rule: null,
  dir: '/w',
  createdAt: 0,
  expiresAt: 1,
  verdict: { behavior: 'allow', scope: 'once' },
  by: { surface: 'phone', principal: 'ann', at: 0 },
  digest: 'digest',
  ruleSubject: null,
  risks: null,
  reason: null,
  origin: { principal: 'owner', trust: 'owner', surface: 'viewers' },
};

describe('the plan of a call', () => {
  it('asks where the policy asks, with all that is decided on', () => {
    const words = ['rm', 'x'].map((text) => ({ text, kind: 'literal' as const }));
    const part = { source: 'rm x', assignments: [], words, redirects: [] };
    const shell = { kind: 'parsed' as const, parts: [part], redirects: [], odd: [] };
    expect(planCall({ ...input, facts: { ...facts, shell } }).plan).toEqual({
      do: 'ask',
      prompt: {
        kind: 'approval',
        headline: 'Bash: rm x',
        description: 'Tidy up',
        preview: 'rm x',
        options: [],
        multiple: false,
        rule: 'Bash(rm x)',
        ruleSubject: { tool: 'Bash', subject: 'rm x' },
        risks: ['Deletes or overwrites: rm x'],
        reason: 'mode default: "rm x": No rule allows this part',
        dir: '/w',
        lifeMs: 1000,
      },
    });
  });

  it.each([
    ['self-protection', { facts: { ...commandFacts('echo kairos') } }, null],
    [
      'an ask rule',
      { rules: [{ effect: 'ask', tool: 'Bash', subject: null, id: null, source: 'settings' }] },
      null,
    ],
    ['the mode', {}, 'Bash(rm x)'],
  ] as const)('offers to keep only what would not ask again: where %s asks', (_title, change, rule) => {
    const { plan } = planCall({ ...input, ...change });
    expect(plan.do === 'ask' && [plan.prompt.rule, plan.prompt.ruleSubject === null]).toEqual([
      rule,
      rule === null,
    ]);
  });

  it('shows what cannot be seen in the rule too', () => {
    const { plan } = planCall({ ...input, facts: commandFacts('rm \u202Ex\u200B') });
    expect(plan.do === 'ask' && [plan.prompt.rule, plan.prompt.ruleSubject?.subject]).toEqual([
      'Bash(rm <U+202E>x<U+200B>)',
      'rm \u202Ex\u200B',
    ]);
  });

  it('shows what cannot be seen, and puts the headline on one line', () => {
    const tricky = commandFacts('rm x\u202E\nfoo');
    const { plan } = planCall({ ...input, facts: tricky });
    expect(plan).toMatchObject({
      prompt: { headline: 'Bash: rm x<U+202E> foo', preview: 'rm x<U+202E>\nfoo' },
    });
  });

  it('masks plain credentials and hides nothing that a shell would run', () => {
    const command =
      'curl -H "Authorization: Bearer sk-ant-api03-abcdefgh" x; TOKEN=$(cat /etc/passwd) API_KEY=abcdefgh12 ls';
    const { plan } = planCall({ ...input, facts: { ...facts, ...commandFacts(command), preview: command } });
    expect(plan.do === 'ask' && plan.prompt.preview).toBe(
      'curl -H "Authorization: Bearer [masked]" x; TOKEN=$(cat /etc/passwd) API_KEY=[masked] ls',
    );
    expect(plan.do === 'ask' && plan.prompt.headline.includes('sk-ant-api03')).toBe(false);
  });

  it.each([
    'AWS_SECRET_ACCESS_KEY=',
    'S3_ACCESS_KEY=',
    'APP_SECRET_KEY=',
    'SECRET_SIGNING=',
    'NPM_TOKEN_CI=',
    'DB_PASSWORD_PROD=',
    'tool --api-key=',
    'tool --access-key ',
    'aws configure set aws_secret_access_key = ',
    'curl -H "X-Token: ',
    'curl -H "Authorization: Bearer ',
    'curl https://host/?access_token=',
  ])('neither shows nor offers to keep for good the secret of: %s', (before) => {
    const secret = 'canary7f3a9c/value+of=40';
    const { plan } = planCall({ ...input, facts: commandFacts(`${before}${secret} run`) });
    expect(
      plan.do === 'ask' && [
        JSON.stringify(plan.prompt).includes('canary'),
        plan.prompt.preview.startsWith(`${before}[masked]`),
        plan.prompt.rule,
        plan.prompt.ruleSubject,
      ],
    ).toEqual([false, true, null, null]);
  });

  it('shows a place or a number behind such a name, and offers to keep it', () => {
    const command = 'TOKEN_FILE=/run/secrets/one SECRET_NAME=production MAX_TOKEN_COUNT=123456789 run';
    const { plan } = planCall({ ...input, facts: commandFacts(command) });
    expect(plan.do === 'ask' && [plan.prompt.preview, plan.prompt.rule]).toEqual([
      command,
      `Bash(${command})`,
    ]);
  });

  it('names the path of a file tool', () => {
    const write = { ...facts, tool: 'Write', access: 'write', subject: '/w/a', paths: ['/w/a'] } as const;
    expect(planCall({ ...input, facts: { ...write, paths: ['/w/a'] } }).plan).toMatchObject({
      prompt: { headline: 'Write: /w/a' },
    });
  });

  it.each([
    ['grants what a mode allows', { mode: 'bypassPermissions' }, 'allow', { do: 'grant' }],
    ['grants what was allowed as it is', { prompt }, 'allow', { do: 'grant' }],
    [
      'asks again when what would run has changed',
      { prompt: { ...prompt, digest: 'other' } },
      'ask',
      { do: 'ask' },
    ],
    [
      'asks nobody again where the mode lets it run by now',
      { prompt: { ...prompt, digest: 'other' }, mode: 'bypassPermissions' },
      'allow',
      { do: 'grant' },
    ],
    ['keeps asking while the prompt is open', { prompt: { ...prompt, state: 'open' } }, 'ask', { do: 'ask' }],
    [
      'ends what was denied',
      { prompt: { ...prompt, verdict: { behavior: 'deny', reason: 'no' } } },
      'deny',
      { do: 'end', result: { outcome: 'denied', output: 'The person denied this call: no' } },
    ],
    [
      'ends what was denied without a reason',
      { prompt: { ...prompt, verdict: { behavior: 'deny' } } },
      'deny',
      { do: 'end', result: { outcome: 'denied', output: 'The person denied this call.' } },
    ],
    [
      'ends what expired',
      { prompt: { ...prompt, state: 'expired', verdict: null } },
      'deny',
      { do: 'end', result: { outcome: 'denied', output: 'Nobody answered in time: counted as deny.' } },
    ],
    [
      'ends what was withdrawn',
      { prompt: { ...prompt, state: 'withdrawn', verdict: null } },
      'deny',
      { do: 'end', result: { outcome: 'denied' } },
    ],
    [
      'ends what a verdict of the wrong kind answered',
      { prompt: { ...prompt, verdict: { behavior: 'answer', text: 'yes' } } },
      'deny',
      { do: 'end' },
    ],
  ] as const)('%s', (_title, change, behavior, plan) => {
    const planned = planCall({ ...input, ...change } as PlanInput);
    expect([planned.decision.behavior, planned.plan]).toMatchObject([behavior, plan]);
  });

  it('offers no rule to keep where only rules of the administrator hold', () => {
    const kept = (keepsRules: boolean): unknown => {
      const { plan } = planCall({ ...input, keepsRules });
      return plan.do === 'ask' && [plan.prompt.rule, plan.prompt.ruleSubject];
    };
    expect([kept(true), kept(false)]).toEqual([
      ['Bash(rm x)', { tool: 'Bash', subject: 'rm x' }],
      [null, null],
    ]);
  });

  it('lets a deny rule win over an earlier allow', () => {
    const { rule } = parseRule('deny', 'Bash(rm x)');
    const rules = rule ? [{ ...rule, id: null, source: 'settings' as const }] : [];
    expect(planCall({ ...input, rules, prompt }).plan).toEqual({
      do: 'end',
      result: { outcome: 'denied', output: 'Not allowed: rule (settings) Bash(rm x).' },
    });
  });

  it('says who allowed it', () => {
    expect(planCall({ ...input, prompt }).decision).toEqual({
      behavior: 'allow',
      by: 'allowed by ann (phone)',
      rule: null,
    });
  });
});

describe('the digest of a call', () => {
  const digest = (change: object, mode: 'default' | 'bypassPermissions' = 'default'): string =>
    callDigest({ ...facts, ...change }, mode, sha256);
  it('is the same for the same call, however its input is ordered', () => {
    expect(digest({ input: { a: 1, b: 2 } })).toBe(digest({ input: { b: 2, a: 1 } }));
    expect(digest({ description: 'other words', preview: 'other' })).toBe(digest({}));
  });
  it.each([
    ['the tool', { tool: 'Write' }],
    ['the input', { input: { command: 'rm y' } }],
    ['the directory', { cwd: '/v' }],
    ['a file it was shown with', { preimages: [{ path: '/w/a', sha256: null }] }],
    ['where its path leads', { paths: ['/w/b'] }],
    ['where its links lead', { shell: { kind: 'unparsed', reason: 'other' } }],
  ])('changes with %s', (_title, change) => {
    expect(digest(change)).not.toBe(digest({}));
  });
  it('changes with what the sandbox lets through, which is shown', () => {
    const shown = (preview: string): string => digest({ sandboxed: true, preview });
    expect(shown('rm x\n[in the sandbox: no network]')).not.toBe(shown('rm x\n[in the sandbox: any host]'));
  });
  it('changes with the mode', () => {
    expect(digest({}, 'bypassPermissions')).not.toBe(digest({}));
  });
});
