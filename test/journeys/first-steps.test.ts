import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/real/checkout.ts';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { run } from './support/run-program.ts';
import { type Sent, replyText, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
});
afterAll(() => kairos.dispose());

describe('A stranger sends a command, is asked, and decides in another terminal', () => {
  it('runs it once it is approved, and the proof is there', async () => {
    const waiting = kairos.start([
      'send',
      'run echo hello > proof.txt',
      '--session',
      'first',
      '--wait',
      '--json',
    ]);
    const asked = await kairos.approval();
    expect(asked).toMatchObject({
      tool: 'Bash',
      kind: 'approval',
      preview: expect.stringContaining('echo hello > proof.txt'),
    });
    expect(existsSync(join(kairos.work, 'proof.txt'))).toBe(false);
    const verdict = await kairos.json(['approve', asked.code]);
    const { code, json, stderr } = await waiting.ended;
    expect({ code, verdict, proof: workFile(kairos, 'proof.txt') }).toEqual({
      code: 0,
      verdict: { outcome: 'accepted', by: expect.stringContaining('owner'), message: expect.any(String) },
      proof: 'hello\n',
    });
    expect(json).toMatchObject({ state: 'settled', session: asked.session });
    expect(replyText(json as Sent)).toContain('echo hello > proof.txt');
    expect(stderr).toContain(asked.code);
  });

  it('refuses a second verdict with exit code 5 and says who was first', async () => {
    const waiting = kairos.start([
      'send',
      'run echo again > again.txt',
      '--session',
      'first',
      '--wait',
      '--json',
    ]);
    const { code } = await kairos.approval();
    await kairos.json(['approve', code]);
    const late = await kairos.cli(['deny', code, '--json']);
    await waiting.ended;
    expect({ code: late.code, answer: late.json, ran: workFile(kairos, 'again.txt') }).toEqual({
      code: 5,
      answer: { outcome: 'already_answered', by: expect.any(String), message: expect.any(String) },
      ran: 'again\n',
    });
  });

  it('does not run what is denied, and tells the reason on', async () => {
    const waiting = kairos.start([
      'send',
      'run echo no > denied.txt',
      '--session',
      'first',
      '--wait',
      '--json',
    ]);
    const { code } = await kairos.approval();
    await kairos.json(['deny', code, '--reason', 'not today']);
    const { json } = await waiting.ended;
    const log = await kairos.exported('first');
    const ended = log.filter(({ type }) => type === 'call.ended').map(({ body }) => body.result);
    expect({
      state: (json as Sent).state,
      file: workFile(kairos, 'denied.txt'),
      results: ended.filter(({ outcome }) => outcome === 'denied'),
    }).toEqual({
      state: 'settled',
      file: null,
      results: [{ outcome: 'denied', output: expect.stringContaining('not today') }],
    });
  });
});

describe('The command line of a checkout', () => {
  it('works through its bin, prints JSON alone on stdout, and needs no state directory of its own making', async () => {
    const { code, stdout } = await run(
      process.execPath,
      [join(root, 'build/bin/kairos.mjs'), 'sessions', '--json'],
      {
        ...kairos.env,
        KAIROS_NO_BUILD: '1',
      },
    );
    expect({ code, sessions: JSON.parse(stdout) }).toEqual({
      code: 0,
      sessions: [expect.objectContaining({ name: 'first', kind: 'interactive', dir: kairos.work })],
    });
  });

  it.each([
    [['send'], 2],
    [['send', 'x', '--no-such-flag'], 2],
    [['no-such-command'], 2],
    [['approve', 'zzzzz'], 1],
    [['export', 'nobody'], 1],
    [['send', 'x', '--session', 'ses_nobody'], 1],
    [['send', 'x', '--dir', '/no/such/directory'], 2],
  ])(
    'answers a mistake with one line that says what to do next, and the right exit code: %s',
    async (args, expected) => {
      const { code, stderr, stdout } = await kairos.cli(args);
      expect({ code, stdout, stderr }).toEqual({
        code: expected,
        stdout: '',
        stderr: expect.stringMatching(/^[^\n]+\. [^\n]+\n$/),
      });
    },
  );
});
