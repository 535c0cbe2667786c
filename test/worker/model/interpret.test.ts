import { describe, expect, test } from 'vitest';
import type { CallResult, Reply } from '../../../shared/domain/messages.ts';
import { interpret } from '../../../electron/worker/model/offline/interpret.ts';
import { ok, TurnScript } from '../support/messages.ts';

const done = (): CallResult => ok('');

/** Lets the engine work until it has nothing to say; the calls it made, in order, and the last reply. */
function work(
  script: TurnScript,
  resultOf: (tool: string, input: unknown) => CallResult,
  before?: (n: number) => void,
) {
  const calls: { tool: string; input: unknown }[] = [];
  for (let n = 0; n < 5_000; n += 1) {
    before?.(n);
    const reply = interpret(script.messages, `stp_${n}`, true);
    script.reply(reply, resultOf);
    const made = reply.parts.flatMap((part) =>
      part.type === 'call' ? [{ tool: part.tool, input: part.input }] : [],
    );
    calls.push(...made);
    if (made.length === 0) return { calls, last: reply };
  }
  throw new Error('The engine does not come to an end.');
}

const message = (calls: readonly { tool: string; input: unknown }[]): unknown => calls.at(-1)?.input;

describe('a turn of the offline engine', () => {
  test('one command is one call, then one message, then an empty reply', () => {
    const script = new TurnScript().person('run echo hi');
    expect(work(script, (tool) => (tool === 'Bash' ? ok('hi\n') : ok('Delivered.')))).toEqual({
      calls: [
        { tool: 'Bash', input: { command: 'echo hi' } },
        { tool: 'SendUserMessage', input: { message: 'Ran `echo hi`:\n```\nhi\n```', status: 'normal' } },
      ],
      last: { model: 'offline', parts: [], stop: 'end' },
    });
  });

  test('find and search go through Glob and Grep, and what they find is told', () => {
    const script = new TurnScript().person('find *.md\nsearch TODO in src\nsearch nowhere');
    const outputs = ['a.md\nb.md', 'src/a.ts:1:TODO', '[nothing in /x matches]', 'Delivered.'];
    const { calls } = work(script, () => ok(outputs.shift() ?? ''));
    expect(calls).toEqual([
      { tool: 'Glob', input: { pattern: '**/*.md' } },
      { tool: 'Grep', input: { pattern: 'TODO', output_mode: 'content', path: 'src' } },
      { tool: 'Grep', input: { pattern: 'nowhere', output_mode: 'content' } },
      {
        tool: 'SendUserMessage',
        input: {
          message:
            'Found for `**/*.md`:\n```\na.md\nb.md\n```\n\nFound for `TODO`:\n```\nsrc/a.ts:1:TODO\n```\n\nFound nothing for `nowhere`.',
          status: 'normal',
        },
      },
    ]);
  });

  test('the end of a background task is passed on, not obeyed', () => {
    const script = new TurnScript()
      .person('run true')
      .taskEnded('tsk_1: make\nExit code 0 after 3 s; its output is in /x\nThe last of it:\n> run ls');
    const { calls } = work(script, () => ok(''));
    expect(calls).toEqual([
      { tool: 'Bash', input: { command: 'true' } },
      {
        tool: 'SendUserMessage',
        input: {
          message:
            'Ran `true`: done, no output.\n\n[background task ended] tsk_1: make\nExit code 0 after 3 s; its output is in /x\n```\nThe last of it:\n> run ls\n```',
          status: 'normal',
        },
      },
    ]);
  });

  test('several lines are several steps in their order, told in the language of the last', () => {
    const script = new TurnScript().person(
      '写入 a.txt：你好\n\n读取 a.txt\n- 睡 5 秒\n问我 好吗？[好 | 不好]\n编辑 a.txt：你 => 我',
    );
    const { calls } = work(script, (tool) =>
      ok(tool === 'Read' ? '     1\t你好' : tool === 'AskUserQuestion' ? '好' : ''),
    );
    expect(calls).toEqual([
      { tool: 'Write', input: { file_path: 'a.txt', content: '你好' } },
      { tool: 'Read', input: { file_path: 'a.txt' } },
      { tool: 'Sleep', input: { seconds: 5 } },
      {
        tool: 'AskUserQuestion',
        input: { question: '好吗？', options: [{ label: '好' }, { label: '不好' }] },
      },
      { tool: 'Edit', input: { file_path: 'a.txt', old_string: '你', new_string: '我' } },
      {
        tool: 'SendUserMessage',
        input: {
          message: [
            '已写入 `a.txt`。',
            '`a.txt` 的内容：\n```\n你好\n```',
            '已休眠 `5 秒`。',
            '你的回答 `好吗？`：好',
            '已修改 `a.txt`。',
          ].join('\n\n'),
          status: 'normal',
        },
      },
    ]);
  });

  test('what failed, was denied, is unknown or was stopped is said as such', () => {
    const results: Record<string, CallResult> = {
      a: { outcome: 'error', output: 'no\n[exit code 3]' },
      b: { outcome: 'denied', output: 'The person denied this call.' },
      c: { outcome: 'unknown', output: 'interrupted, outcome unknown' },
      d: { outcome: 'interrupted', output: 'half' },
    };
    const script = new TurnScript().person('run a\nrun b\nrun c\nrun d');
    const { calls } = work(
      script,
      (_tool, input) => results[(input as { command: string }).command] ?? ok('Delivered.'),
    );
    expect(message(calls)).toEqual({
      message: [
        '`a` failed:\n```\nno\n[exit code 3]\n```',
        '`b` was not allowed, so I did not do it.\n```\nThe person denied this call.\n```',
        '`c` was interrupted and I cannot tell whether it took effect. I did not repeat it; please check.',
        '`d` was stopped before its end.\n```\nhalf\n```',
      ].join('\n\n'),
      status: 'normal',
    });
  });

  test('a message that joins in the middle adds its lines, and the answer names the newest', () => {
    const script = new TurnScript().person('run a\nrun b');
    const { calls } = work(script, done, (n) => {
      if (n === 1) script.person('run c');
    });
    expect(calls).toEqual([
      { tool: 'Bash', input: { command: 'a' } },
      { tool: 'Bash', input: { command: 'b' } },
      { tool: 'Bash', input: { command: 'c' } },
      {
        tool: 'SendUserMessage',
        input: {
          message: 'Ran `a`: done, no output.\n\nRan `b`: done, no output.\n\nRan `c`: done, no output.',
          status: 'normal',
          in_reply_to: 'm2',
        },
      },
    ]);
  });

  test('a message that comes after the report gets a report of its own', () => {
    const script = new TurnScript().person('run a');
    const { calls } = work(script, done, (n) => {
      if (n === 2) script.person('hi');
    });
    expect(calls.map((call) => call.tool)).toEqual(['Bash', 'SendUserMessage', 'SendUserMessage']);
    expect(message(calls)).toMatchObject({
      message: expect.stringMatching(/^Hello! .*`run ls -la`.*`write /),
    });
  });

  test.each([
    ['hi', /^Hello! .*`run ls -la` or `write notes\.txt/],
    ['', /^Hello! /],
    ['你好', /^你好！.*`运行 ls -la` 或 `写入 notes\.txt/],
    ['help', /one per line[^]*`edit notes\.txt: old words => new words`[^]*`sleep 10 min`/],
    ['帮助', /一行一条[^]*`编辑 notes\.txt：旧文字 => 新文字`/],
    ['remind me to eat', /^`remind` is not in this version yet/],
    ['记住我', /^`记住` 在这个版本里还没有/],
    ['write a.txt', /^I could not read that; it goes like this: `write /],
  ])('%j is answered straight away', (text, answer) => {
    const { calls } = work(new TurnScript().person(text), done);
    expect(calls).toEqual([
      { tool: 'SendUserMessage', input: { message: expect.stringMatching(answer), status: 'normal' } },
    ]);
  });

  test('a refused message is said as plain text instead, also after the nudge', () => {
    const script = new TurnScript().person('run a');
    const plain = {
      model: 'offline',
      parts: [{ type: 'text', text: 'Ran `a`: done, no output.' }],
      stop: 'end',
    };
    const { calls, last } = work(script, (tool) =>
      tool === 'Bash' ? ok('') : { outcome: 'error', output: 'Which chat?' },
    );
    expect([calls.map((call) => call.tool), last]).toEqual([['Bash', 'SendUserMessage'], plain]);
    expect(interpret(script.nudge().messages, 'stp_9', true)).toEqual(plain);
  });

  test('long output is cut in the middle, and its code block cannot be left', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    const script = new TurnScript().person('run x');
    const { calls } = work(script, () => ok(`\`\`\`\n${lines.join('\n')}\n`));
    const text = (message(calls) as { message: string }).message;
    expect(text.split('\n')).toEqual([
      'Ran `x`:',
      '````',
      '```',
      ...lines.slice(0, 24),
      '… (61 lines left out) …',
      ...lines.slice(-15),
      '````',
    ]);
  });

  test('a thousand lines in one message are a thousand steps and one short report', () => {
    const script = new TurnScript().person(
      Array.from({ length: 1_000 }, (_, n) => `run echo ${n}`).join('\n'),
    );
    const { calls } = work(script, (_tool, input) => {
      const command = (input as { command?: string }).command;
      return command === 'echo 7' ? { outcome: 'error', output: '[exit code 1]' } : ok(command ?? '');
    });
    expect(calls.length).toBe(1_001);
    expect(message(calls)).toEqual({
      message:
        '1000 commands: 999 done, 1 not done.\n\n`echo 7` failed:\n```\n[exit code 1]\n```\n\nRan `echo 999`:\n```\necho 999\n```',
      status: 'normal',
    });
  });
});

describe('a turn of the offline engine outside of brief mode', () => {
  test('ends with the report as plain text, and what joined the turn is told in it', () => {
    const script = new TurnScript().person('run echo hi').person('hello');
    const first = interpret(script.messages, 'stp_0', false);
    script.reply(first, () => ok('hi\n'));
    expect([first.stop, interpret(script.messages, 'stp_1', false)]).toEqual([
      'calls',
      {
        model: 'offline',
        parts: [{ type: 'text', text: expect.stringMatching(/^Ran `echo hi`:\n```\nhi\n```\n\n.+/s) }],
        stop: 'end',
      },
    ]);
  });
});

describe('the engine as a function', () => {
  test('the identical request gives the identical reply at every step, and the messages are left as they were', () => {
    const script = new TurnScript().person('run a\nread b\nask me c\nwrite d: e\nhello');
    const replies: Reply[] = [];
    for (let n = 0; n < 6; n += 1) {
      const before = structuredClone(script.messages);
      const reply = interpret(script.messages, `stp_${n}`, true);
      expect([interpret(before, `stp_${n}`, true), script.messages]).toEqual([reply, before]);
      replies.push(reply);
      script.reply(reply, done);
    }
    const ids = replies.flatMap((reply) =>
      reply.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])),
    );
    expect(ids).toEqual(['cal_0_0', 'cal_1_0', 'cal_2_0', 'cal_3_0', 'cal_4_0']);
  });
});
