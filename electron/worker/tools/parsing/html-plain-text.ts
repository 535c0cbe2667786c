/** Elements whose content no reader sees as text. */
const unseen: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe']);
/** Elements that stand in the line; all others end it. */
const inline: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code data dfn em font i kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/**
 * The words of a page in one pass over it, whatever it holds: no tree is built, so that time grows with its length and nothing
 * else. Tags end at the next `>`; what is missing at the end is the end.
 */
export function htmlPlainText(html: string): string {
  const parts: string[] = [];
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    parts.push(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) break;
    const tag = tagAt(html, open);
    parts.push(tag.text);
    at = tag.end;
  }
  return parts
    .join('')
    .replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,5}));/g, character)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

interface Tag {
  /** What stands for it in the text, and where the text goes on. */
  readonly text: string;
  readonly end: number;
}

function tagAt(html: string, open: number): Tag {
  if (html.startsWith('<!--', open)) return { text: '', end: after(html, '-->', open + 4) };
  const name = /^<\/?([a-z][a-z\d]{0,20})?/i.exec(html.slice(open, open + 24))?.[1]?.toLowerCase();
  const isMark = name !== undefined || html[open + 1] === '!' || html[open + 1] === '?';
  if (!isMark) return { text: '<', end: open + 1 };
  const end = after(html, '>', open + 1);
  if (name === undefined) return { text: '', end };
  if (unseen.has(name) && html[open + 1] !== '/') return { text: '\n', end: afterElement(html, name, end) };
  return { text: inline.has(name) ? '' : '\n', end };
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

/** Each character is looked at once: what is skipped is not looked at again. */
function afterElement(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = from;
  const found = close.exec(html);
  return found === null ? html.length : after(html, '>', found.index);
}

function character(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return named[name] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
