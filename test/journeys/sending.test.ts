import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import {
  type Sent,
  bodies,
  fileHas,
  replyText,
  send,
  settle,
  settled,
  workFile,
} from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos({ settings: { sessions: { hibernateAfterSeconds: 0.3 } } });
});
afterAll(() => kairos.dispose());

describe('send', () => {
  it('without --wait returns once the message is stored; the same uuid again is the same message', async () => {
    const uuid = randomUUID();
    const first = await send(
      kairos,
      'run sleep 0.3; echo once >> uuid.txt',
      '--session',
      'uuid',
      '--uuid',
      uuid,
      '--mode',
      'bypassPermissions',
    );
    const again = ['--session', 'uuid', '--uuid', uuid];
    const second = await send(kairos, 'run sleep 0.3; echo once >> uuid.txt', ...again);
    const other = await kairos.cli(['send', 'run echo twice >> uuid.txt', ...again, '--json']);
    await settled(kairos, uuid);
    expect({
      first: first.duplicate,
      second: second.duplicate,
      message: second.message,
      other: [other.code, other.stdout],
      told: other.stderr,
      file: workFile(kairos, 'uuid.txt'),
    }).toEqual({
      first: false,
      second: true,
      message: uuid,
      other: [1, ''],
      told: expect.stringContaining('was used for another message'),
      file: 'once\n',
    });
  });

  it('--wait with a time-out ends with exit code 4 and the state, and the agent goes on', async () => {
    const late = await kairos.cli([
      'send',
      'run sleep 1.5; echo on > on.txt',
      '--session',
      'late',
      '--mode',
      'bypassPermissions',
      '--wait',
      '--timeout',
      '0.5',
      '--json',
    ]);
    expect({ code: late.code, state: (late.json as Sent).state, stderr: late.stderr }).toEqual({
      code: 4,
      state: 'working',
      stderr: expect.stringContaining('working'),
    });
    await fileHas(kairos, 'on.txt', 'on');
  });

  it('a session whose model this version does not have is parked with the reason, and the message is kept', async () => {
    const parked = await kairos.cli([
      'send',
      'hello',
      '--session',
      'other-model',
      '--model',
      'anthropic/x',
      '--wait',
      '--timeout',
      '20',
      '--json',
    ]);
    expect({ code: parked.code, state: (parked.json as Sent).state }).toEqual({ code: 1, state: 'parked' });
    expect(parked.stderr).toContain('anthropic/x');
    const [row] = (await kairos.sessions()).filter(({ name }) => name === 'other-model');
    expect(row).toMatchObject({ state: 'parked', pid: null });
  });

  it('takes KAIROS_MODEL for a new session only', async () => {
    const env = { KAIROS_MODEL: 'openai/y' };
    const parked = await kairos.cli(
      ['send', 'hello', '--session', 'env-model', '--wait', '--timeout', '20', '--json'],
      { env },
    );
    const fine = await kairos.cli(
      ['send', 'help', '--session', 'uuid', '--wait', '--timeout', '20', '--json'],
      { env },
    );
    expect([parked.code, fine.code]).toEqual([1, 0]);
  });

  it('reads the text from standard input for "-"', async () => {
    const result = await kairos.cli(
      ['send', '-', '--session', 'stdin', '--mode', 'bypassPermissions', '--wait', '--json'],
      { input: 'run echo from stdin > stdin.txt\n' },
    );
    expect({ code: result.code, file: workFile(kairos, 'stdin.txt') }).toEqual({
      code: 0,
      file: 'from stdin\n',
    });
  });
});

describe('The offline engine', () => {
  it('does several lines as several steps, in order, and answers once', async () => {
    const sent = await settle(
      kairos,
      'run echo a > a.txt\nwrite b.txt: one\nedit b.txt: one => two\nread b.txt',
      '--session',
      'lines',
    );
    const log = await kairos.exported('lines');
    expect({
      tools: bodies(log, 'call.ended').map(({ tool }) => tool),
      steps: bodies(log, 'step.began').map(({ n }) => n),
      replies: sent.replies.length,
      files: [workFile(kairos, 'a.txt'), workFile(kairos, 'b.txt')?.trim()],
    }).toEqual({
      tools: ['Bash', 'Write', 'Edit', 'Read'],
      steps: [1, 2, 3, 4, 5],
      replies: 1,
      files: ['a\n', 'two'],
    });
  });

  it('understands Chinese and answers in it', async () => {
    const sent = await settle(kairos, '运行 echo 你好 > 问候.txt\n读取 问候.txt', '--session', '中文');
    expect({ file: workFile(kairos, '问候.txt'), reply: replyText(sent) }).toEqual({
      file: '你好\n',
      reply: expect.stringMatching(/\p{Script=Han}/u),
    });
  });

  it('says in a friendly way what it can do when it cannot do what is asked', async () => {
    const sent = await settle(kairos, 'How is the weather?', '--session', 'chat');
    expect(replyText(sent)).toMatch(/help/);
  });
});
