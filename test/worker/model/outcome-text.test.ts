import { expect, it } from 'vitest';
import { outcomeText } from '../../../electron/worker/model/offline/outcome-text.ts';
import { parseLine } from '../../../electron/worker/model/offline/parse-line.ts';

function headline(line: string, output: string, language: 'en' | 'zh'): string {
  const command = parseLine(line);
  if (command === null) throw new Error(`no command: ${line}`);
  return outcomeText({ command, ref: 'm1', at: 0, result: { outcome: 'ok', output } }, language).headline;
}

const early = 'Slept 2 s of 3600 s. Woken by: a message.';
const whole = 'Slept 3600 s of 3600 s. Woken by: the alarm.';

it.each([
  ['en', early, /^Woken after 2 s of .*1 hour.* by your message; the rest is dropped\.$/],
  ['zh', early, /2 秒后被你的消息唤醒/],
  ['en', whole, /^Slept .*1 hour.*\.$/],
  ['zh', whole, /^已休眠/],
] as const)('a sleep is told as it was (%s): %s', (language, output, expected) => {
  expect(headline('sleep 1 hour', output, language)).toMatch(expected);
});
