import type { List, ListItem, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { inlineSpans, linesOfSpans } from './inline-spans.ts';
import { foreignSpans, type Line, lineColumns, span } from './line.ts';
import { tableLines } from './table-lines.ts';
import { indent, type Margin, noMargin, wrapLine, wrapLines } from './wrap-line.ts';

const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** Markdown as rows of at most `columns`. HTML is text, pictures are their words, links show where they lead. */
export function markdownLines(source: string, columns: number): Line[] {
  return blocks(fromMarkdown(source, extensions).children, columns);
}

function blocks(nodes: readonly RootContent[], columns: number, isTight = false): Line[] {
  const lines: Line[] = [];
  for (const node of nodes) {
    const own = blockLines(node, Math.max(1, columns));
    if (own.length === 0) continue;
    if (lines.length > 0 && !isTight) lines.push([]);
    for (const line of own) lines.push(line);
  }
  return lines;
}

function blockLines(node: RootContent, columns: number): Line[] {
  switch (node.type) {
    case 'paragraph':
      return wrapLines(linesOfSpans(inlineSpans(node.children)), columns);
    case 'heading':
      return wrapLines(linesOfSpans(inlineSpans(node.children, 'strong')), columns);
    case 'code':
      return withMargin(codeLines(node.value, columns - 2), indent(2));
    case 'blockquote':
      return withMargin(blocks(node.children, columns - 2), {
        first: [span('│ ', 'muted')],
        rest: [span('│ ', 'muted')],
      });
    case 'list':
      return listLines(node, columns);
    case 'table':
      return tableLines(node, columns);
    case 'thematicBreak':
      return [[span('─'.repeat(Math.min(columns, 24)), 'muted')]];
    case 'html':
      return wrapLines(
        foreignSpans(node.value).map((part) => [part]),
        columns,
      );
    case 'footnoteDefinition':
      return withMargin(blocks(node.children, columns - 2), {
        first: [span('* ', 'muted')],
        rest: indent(2).rest,
      });
    case 'definition':
    case 'yaml':
      return [];
    default:
      return [];
  }
}

/** Code keeps its lines; one that is too long goes on in the next row. */
export function codeLines(code: string, columns: number): Line[] {
  return foreignSpans(code, 'code').flatMap((part) => wrapLine([part], Math.max(1, columns), noMargin));
}

function withMargin(lines: readonly Line[], { first, rest }: Margin): Line[] {
  return lines.map((line, index) =>
    line.length === 0 && lineColumns(rest) <= 2 && rest[0]?.text.trim() === ''
      ? line
      : [...(index === 0 ? first : rest), ...line],
  );
}

function listLines(list: List, columns: number): Line[] {
  const start = list.start ?? 1;
  const widest = String(start + list.children.length - 1).length;
  const isLoose = list.spread === true || list.children.some((item) => item.spread === true);
  return list.children.flatMap((item, index) => {
    const mark = markOf(list, item, String(start + index).padStart(widest));
    const width = lineColumns([span(mark)]);
    const body = blocks(item.children, columns - width, !isLoose);
    const lines = withMargin(body.length === 0 ? [[]] : body, {
      first: [span(mark, 'muted')],
      rest: indent(width).rest,
    });
    return isLoose && index > 0 ? [[], ...lines] : lines;
  });
}

function markOf({ ordered }: List, { checked }: ListItem, number: string): string {
  const mark = ordered === true ? `${number}. ` : '• ';
  if (checked === true) return `${mark}[x] `;
  return checked === false ? `${mark}[ ] ` : mark;
}
