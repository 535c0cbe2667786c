import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { type Sent, bodies, replyText, send, settle, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
});
afterAll(() => kairos.dispose());

async function sendAndDecide(text: string, session: string, ...verdict: readonly string[]): Promise<Sent> {
  const waiting = kairos.start(['send', text, '--session', session, '--wait', '--json']);
  const { code } = await kairos.approval();
  const [act = 'approve', ...rest] = verdict;
  await kairos.json([act, code, ...rest]);
  return (await waiting.ended).json as Sent;
}

describe('A verdict with scope', () => {
  it('"always" stores a rule for this very command, in every session, until it is revoked', async () => {
    const command = 'run echo x >> always.txt';
    await sendAndDecide(command, 'rule-one', 'approve', '--scope', 'always');
    const other = await kairos.json<Sent>([
      'send',
      command,
      '--session',
      'rule-two',
      '--wait',
      '--timeout',
      '20',
    ]);
    expect({ state: other.state, lines: workFile(kairos, 'always.txt') }).toEqual({
      state: 'settled',
      lines: 'x\nx\n',
    });
    const rules = await kairos.json<readonly { id: string; effect: string; rule: string }[]>(['rules']);
    expect(rules).toEqual([expect.objectContaining({ effect: 'allow', rule: 'Bash(echo x >> always.txt)' })]);
    await kairos.json(['rules', 'revoke', rules[0]?.id ?? '']);
    await sendAndDecide(command, 'rule-two', 'deny');
    expect(workFile(kairos, 'always.txt')).toBe('x\nx\n');
  });

  it('"session" holds in that session only', async () => {
    const command = 'run echo y >> session.txt';
    await sendAndDecide(command, 'scope-one', 'approve', '--scope', 'session');
    await kairos.json(['send', command, '--session', 'scope-one', '--wait', '--timeout', '20']);
    await sendAndDecide(command, 'scope-two', 'deny');
    expect(workFile(kairos, 'session.txt')).toBe('y\ny\n');
    const rules = await kairos.json<readonly { id: string; sessionName: string | null }[]>(['rules']);
    expect(rules.map(({ sessionName }) => sessionName)).toEqual(['scope-one']);
    await kairos.json(['rules', 'remove', rules[0]?.id ?? '']);
    await sendAndDecide(command, 'scope-one', 'deny');
    expect([await kairos.json(['rules']), workFile(kairos, 'session.txt')]).toEqual([[], 'y\ny\n']);
  });

  it('beyond once is neither offered nor taken for a command with a secret, which no list shows', async () => {
    const canary = 'canary7f3a9c-value';
    const command = `run AWS_SECRET_ACCESS_KEY=${canary} NPM_TOKEN_CI=${canary} true`;
    const waiting = kairos.start(['send', command, '--session', 'canary', '--wait', '--json']);
    const asked = await kairos.approval();
    const refused = await Promise.all(
      ['session', 'always'].map((scope) => kairos.cli(['approve', asked.code, '--scope', scope])),
    );
    const shown = [await kairos.cli(['approvals']), await kairos.cli(['approvals', '--json'])];
    await kairos.json(['approve', asked.code]);
    await waiting.ended;
    const after = [await kairos.cli(['rules']), await kairos.cli(['rules', '--json'])];
    expect([
      asked.rule,
      refused.map(({ code, stderr }) => [code, stderr.includes('contains what looks like a secret')]),
      [...refused, ...shown, ...after].filter(({ stdout, stderr }) => (stdout + stderr).includes(canary)),
    ]).toEqual([
      null,
      [
        [5, true],
        [5, true],
      ],
      [],
    ]);
  });

  it('beyond once is neither offered nor taken where Kairos protects itself', async () => {
    const waiting = kairos.start([
      'send',
      'run echo kairos > self.txt',
      '--session',
      'self',
      '--wait',
      '--json',
    ]);
    const asked = await kairos.approval();
    const refused = await Promise.all(
      ['session', 'always'].map((scope) => kairos.cli(['approve', asked.code, '--scope', scope])),
    );
    const shown = (await kairos.cli(['approvals'])).stdout;
    await kairos.json(['approve', asked.code]);
    await waiting.ended;
    expect([
      asked.rule,
      shown.includes('Can be allowed once only'),
      refused.map(({ code, stderr }) => [code, stderr.includes('It can be allowed once only: ')]),
      workFile(kairos, 'self.txt'),
    ]).toEqual([
      null,
      true,
      [
        [5, true],
        [5, true],
      ],
      'kairos\n',
    ]);
  });
});

describe('A question', () => {
  it('shows its options, takes a letter, and hands the chosen words to the agent', async () => {
    const waiting = kairos.start([
      'send',
      'ask me Which one? [red | blue]',
      '--session',
      'ask',
      '--wait',
      '--json',
    ]);
    const asked = await kairos.approval();
    expect(asked).toMatchObject({
      kind: 'question',
      tool: 'AskUserQuestion',
      options: [{ label: 'red' }, { label: 'blue' }],
    });
    await kairos.json(['answer', asked.code, 'B']);
    const { json } = await waiting.ended;
    expect(replyText(json as Sent)).toContain('blue');
  });
});

describe('Nobody answers', () => {
  it('and the call counts as denied when its time is over', async () => {
    const hasty = await startKairos({ settings: { prompts: { expireAfterSeconds: 0.5 } } });
    try {
      const sent = await hasty.json<Sent>(['send', 'run echo late > late.txt', '--wait', '--timeout', '20']);
      const log = await hasty.exported(sent.session);
      expect({
        state: sent.state,
        file: workFile(hasty, 'late.txt'),
        expired: bodies(log, 'prompt.expired').length,
      }).toEqual({
        state: 'settled',
        file: null,
        expired: 1,
      });
    } finally {
      await hasty.dispose();
    }
  });
});

describe('What protects Kairos from its own agent', () => {
  it('reading its state directory is denied in every mode', async () => {
    const sent = await settle(kairos, `read ${kairos.home}/daemon.json`, '--session', 'spy');
    const log = await kairos.exported('spy');
    const results = bodies(log, 'call.ended').map(({ tool, result }) => [tool, result.outcome]);
    expect({ results, reply: replyText(sent).includes('token') }).toEqual({
      results: [['Read', 'denied']],
      reply: false,
    });
  });

  it.each(['kairos approvals', 'cat $KAIROS_HOME/daemon.json', 'ls ~/.kairos'])(
    'a command that names it asks even in bypassPermissions: %s',
    async (command) => {
      const name = `by-${command.length}`;
      await send(kairos, `run ${command}`, '--session', name, '--mode', 'bypassPermissions');
      const asked = await kairos.approval();
      expect(asked.headline).toContain(command);
      await kairos.json(['deny', asked.code]);
      await waitFor(async () => (await kairos.approvals()).length === 0, { what: 'nothing to ask any more' });
    },
  );
});
