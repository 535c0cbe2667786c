import type { PhrasingContent } from 'mdast';
import { foreignSpan, type Span, span, type Style } from './line.ts';

/** Spans of inline markdown; a hard break is a span of a line end, which `linesOfSpans` takes apart. */
export function inlineSpans(nodes: readonly PhrasingContent[], style: Style = 'plain'): Span[] {
  return nodes.flatMap((node) => spansOf(node, style));
}

/** Spans as lines, split where a break stands. */
export function linesOfSpans(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  for (const part of spans) {
    if (part.text === '\n') lines.push([]);
    else lines.at(-1)?.push(part);
  }
  return lines;
}

function spansOf(node: PhrasingContent, style: Style): Span[] {
  switch (node.type) {
    case 'text':
      return softLines(node.value, style);
    case 'strong':
      return inlineSpans(node.children, 'strong');
    case 'emphasis':
      return inlineSpans(node.children, style === 'plain' ? 'emphasis' : style);
    case 'delete':
      return [span('~', 'muted'), ...inlineSpans(node.children, 'muted'), span('~', 'muted')];
    case 'inlineCode':
      return [foreignSpan(node.value, 'code')];
    case 'break':
      return [span('\n')];
    case 'link':
      return linkSpans(inlineSpans(node.children, 'link'), node.url);
    case 'image':
      return [foreignSpan(`[picture: ${node.alt || 'without words'}]`, 'muted'), ...hostSpans(node.url)];
    case 'linkReference':
      return inlineSpans(node.children, style);
    case 'imageReference':
      return [foreignSpan(`[picture: ${node.alt || node.identifier}]`, 'muted')];
    case 'footnoteReference':
      return [foreignSpan(`[${node.label ?? node.identifier}]`, 'muted')];
    case 'html':
      return softLines(node.value, style);
    default:
      return [];
  }
}

/** A line end inside a paragraph stays one: people write lists of lines that way. */
function softLines(value: string, style: Style): Span[] {
  return value
    .split('\n')
    .flatMap((line, index) =>
      index === 0 ? [foreignSpan(line, style)] : [span('\n'), foreignSpan(line, style)],
    );
}

/** Where a link leads is always seen: its host, unless its words are the address itself. */
function linkSpans(words: readonly Span[], url: string): Span[] {
  const shown = words.map(({ text }) => text).join('');
  return shown === url || `mailto:${shown}` === url ? [...words] : [...words, ...hostSpans(url)];
}

function hostSpans(url: string): Span[] {
  return [span(' '), foreignSpan(`(${hostOf(url)})`, 'muted')];
}

/** Host and, where it is not the web, scheme of an address; an address that is none is shown as it is. */
function hostOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  if (host === '') return url;
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`;
}
