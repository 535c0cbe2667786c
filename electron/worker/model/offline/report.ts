import { clipBlock, codeBlock } from './clip.ts';
import type { Language } from './commands.ts';
import { answerText } from './phrases.ts';
import { outcomeText } from './outcome-text.ts';
import type { Line } from './read-turn.ts';

/** Up to this many commands are told one by one with their output. */
const mostInFull = 12;
const mostFailures = 20;
/** Characters of a whole report. */
const longestReport = 24_000;

/** What the person reads about these lines, as Markdown, in the language of the newest one. */
export function report(lines: readonly Line[]): string {
  const language = lines.at(-1)?.command.language ?? 'en';
  const worked = lines.filter((line) => line.result !== null);
  const parts =
    worked.length > mostInFull ? summary(worked, language) : worked.map((line) => section(line, language));
  const answers = [...new Set(lines.flatMap((line) => answerText(line.command, language) ?? []))];
  return cut([...parts, ...answers].join('\n\n'), language);
}

function section(line: Line, language: Language, lines?: number): string {
  const { headline, output } = outcomeText(line, language);
  return output === '' ? headline : `${headline}\n${codeBlock(clipBlock(output, language, lines))}`;
}

function summary(worked: readonly Line[], language: Language): string[] {
  const failed = worked.filter((line) => line.result?.outcome !== 'ok');
  const last = worked.at(-1);
  const count = worked.length;
  const head = tally(count, failed.length, language);
  const shown = failed.slice(0, mostFailures).map((line) => section(line, language, 8));
  const more = failed.length - shown.length;
  const rest = language === 'zh' ? `另有 ${more} 条未完成。` : `${more} more were not done.`;
  const tail = last === undefined || failed.includes(last) ? [] : [section(last, language, 20)];
  return [head, ...shown, ...(more > 0 ? [rest] : []), ...tail];
}

function tally(count: number, failed: number, language: Language): string {
  const zh = language === 'zh';
  if (failed === 0) return zh ? `共 ${count} 条指令，全部完成。` : `${count} commands, all done.`;
  const done = count - failed;
  return zh
    ? `共 ${count} 条指令：${done} 条完成，${failed} 条未完成。`
    : `${count} commands: ${done} done, ${failed} not done.`;
}

function cut(text: string, language: Language): string {
  if (text.length <= longestReport) return text;
  const note = language === 'zh' ? '（报告过长，已截断）' : '(the report was cut here)';
  return `${text.slice(0, longestReport)}\n\n${note}`;
}
