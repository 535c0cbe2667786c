import { visibleText } from '../../../shared/base/visible-text.ts';
import type { TextOutput } from '../context.ts';

/** Emoji are joined and coloured by characters that are invisible elsewhere. */
const emoji = new RegExp('(\\p{RGI_Emoji})', 'v');
/** The colours of paint.ts. */
// oxlint-disable-next-line no-control-regex
const ourColours = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

/** Every second part is what the only group of `kept` found: that stays as it is. */
function visibleBetween(text: string, kept: RegExp): string {
  return text
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : visibleText(part)))
    .join('');
}

/** A name, a path or another piece of foreign text inside one of our lines: stays in its line, and hides and steers nothing. */
export function foreignLine(text: string): string {
  return visibleText(text).replaceAll('\n', '<U+000A>').replaceAll('\t', '<U+0009>');
}

/** Lines that a model or a program wrote, readable on a terminal: line ends, tabs and emoji stay, nothing steers it. */
export function terminalText(text: string): string {
  return visibleBetween(text.replaceAll('\r\n', '\n'), emoji);
}

/** Lines that a model or a program wrote, for this output: a terminal gets them readable, a file gets every byte. */
export function foreignText(text: string, output: TextOutput): string {
  return output.isTerminal ? terminalText(text) : text;
}

/** The last net under everything that is printed for people: no control character passes but line ends, tabs and our colours. */
export function printable(text: string): string {
  return visibleBetween(text, ourColours);
}
