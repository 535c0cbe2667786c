import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import { code } from './clip.ts';
import type { Command, Language } from './commands.ts';
import type { Line } from './read-turn.ts';

/** What is said of a command and its outcome; `output` goes into a code block below. */
export interface OutcomeText {
  readonly headline: string;
  readonly output: string;
}

/** What became of a command that was carried out as a call. */
export function outcomeText({ command, result }: Line, language: Language): OutcomeText {
  if (result === null) return { headline: '', output: '' };
  const what = code(subject(command));
  const zh = language === 'zh';
  switch (result.outcome) {
    case 'ok':
      return done(command, what, result, zh);
    case 'error':
      return { headline: zh ? `${what} 失败：` : `${what} failed:`, output: plain(command, result) };
    case 'denied':
      return {
        headline: zh ? `${what} 未获允许，没有执行。` : `${what} was not allowed, so I did not do it.`,
        output: result.output,
      };
    case 'unknown':
      return {
        headline: zh
          ? `${what} 执行时被打断，不知道是否完成。我没有重复执行，请检查。`
          : `${what} was interrupted and I cannot tell whether it took effect. I did not repeat it; please check.`,
        output: '',
      };
    case 'interrupted':
      return {
        headline: zh ? `${what} 被中止。` : `${what} was stopped before its end.`,
        output: plain(command, result),
      };
    default:
      return assertNever(result.outcome, 'outcome');
  }
}

function done(command: Command, what: string, result: CallResult, zh: boolean): OutcomeText {
  const output = plain(command, result);
  switch (command.kind) {
    case 'run':
      if (output === '')
        return { headline: zh ? `已运行 ${what}，没有输出。` : `Ran ${what}: done, no output.`, output };
      return { headline: zh ? `已运行 ${what}：` : `Ran ${what}:`, output };
    case 'read':
      if (output === '') return { headline: zh ? `${what} 是空的。` : `${what} is empty.`, output };
      return { headline: zh ? `${what} 的内容：` : `${what} says:`, output };
    case 'find':
    case 'search':
      if (output.startsWith('[no'))
        return { headline: zh ? `没有找到 ${what}。` : `Found nothing for ${what}.`, output: '' };
      return { headline: zh ? `找到 ${what}：` : `Found for ${what}:`, output };
    case 'write':
      return { headline: zh ? `已写入 ${what}。` : `Wrote ${what}.`, output: '' };
    case 'edit':
      return { headline: zh ? `已修改 ${what}。` : `Changed ${what}.`, output: '' };
    case 'ask':
      return {
        headline: `${zh ? '你的回答' : 'You answered'} ${what}${zh ? '：' : ': '}${result.output.trim()}`,
        output: '',
      };
    case 'sleep':
      return { headline: sleepText(what, result.output, zh), output: '' };
    // Answered in words, never carried out as a call.
    case 'help':
    case 'notice':
    case 'usage':
    case 'later':
    case 'other':
      return { headline: '', output };
    default:
      return assertNever(command, 'command');
  }
}

/** The result says how long it slept of how long, and why it woke: an early waking must not read like a whole sleep. */
function sleepText(what: string, output: string, zh: boolean): string {
  const early = /Slept (\d+) s of (\d+) s\. Woken by: a message/.exec(output);
  if (!early) return zh ? `已休眠 ${what}。` : `Slept ${what}.`;
  return zh
    ? `休眠 ${what}，${early[1]} 秒后被你的消息唤醒；余下的不再休眠。`
    : `Woken after ${early[1]} s of ${what} by your message; the rest is dropped.`;
}

/** Line numbers help a model, not a person. */
function plain(command: Command, result: CallResult): string {
  const text = command.kind === 'read' ? result.output.replace(/^ *\d+\t/gm, '') : result.output;
  return text.replace(/\s+$/, '');
}

function subject(command: Command): string {
  switch (command.kind) {
    case 'run':
      return command.command;
    case 'read':
    case 'write':
    case 'edit':
      return command.path;
    case 'find':
    case 'search':
      return command.pattern;
    case 'ask':
      return command.question;
    case 'sleep':
      return command.said;
    case 'help':
    case 'notice':
    case 'usage':
    case 'later':
    case 'other':
      return command.kind;
    default:
      return assertNever(command, 'command');
  }
}
