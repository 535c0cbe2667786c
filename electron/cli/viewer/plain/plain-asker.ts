import type { CliContext } from '../../context.ts';
import { printText } from '../../output/print.ts';
import type { Asker, Choice } from '../begin/asker.ts';
import { foreignSpan, type Line, lineText } from '../text/line.ts';
import type { InputLines } from './lines.ts';

/** Columns of a body where nothing limits them. */
const openColumns = 100;

const flat = (text: string): string => lineText([foreignSpan(text)]);

/** Asks by printed lines and numbers; an empty line takes what is proposed, q or the end of the input cancels. */
export function plainAsker(context: CliContext, input: InputLines): Asker {
  const say = (text: string): Promise<unknown> => printText(context, text);
  const body = (lines: (columns: number) => readonly Line[]): string[] =>
    lines(context.stdout.columns ?? openColumns).map(lineText);
  const read = async (): Promise<string | null> => {
    const line = (await input.next())?.trim();
    return line === undefined || line === 'q' ? null : line;
  };
  const pick = async (choice: Choice): Promise<number | null> => {
    const line = await read();
    if (line === null) return null;
    const index = line === '' ? 0 : Number(line) - 1;
    if (Number.isInteger(index) && choice.offers[index] !== undefined) return index;
    await say(`Type a number from 1 to ${choice.offers.length}, or q.`);
    return pick(choice);
  };
  return {
    async choose(choice) {
      const offers = choice.offers.map(
        ({ words, detail, more }, index) =>
          `${index + 1}. ${[words, detail, more].flatMap((part) => (part === undefined ? [] : [flat(part)])).join('  ')}`,
      );
      await say(
        [
          choice.title,
          ...body(choice.body),
          ...offers,
          'Number (Enter: 1, q: leave, nothing is changed):',
        ].join('\n'),
      );
      return pick(choice);
    },
    async text(question) {
      await say(
        [
          question.title,
          ...body(question.body),
          `Enter takes ${flat(question.initial)}; q leaves, nothing is changed:`,
        ].join('\n'),
      );
      const line = await read();
      return line === '' ? question.initial : line;
    },
    tell: (words) => void say(words),
    close: () => Promise.resolve(),
  };
}
