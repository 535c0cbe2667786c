import { type AnyEvent, isKnownEvent } from '../../../../shared/domain/events.ts';

/** The text of an event that people search for; empty for events without one. */
export function searchText(event: AnyEvent): string {
  if (!isKnownEvent(event)) return '';
  switch (event.type) {
    case 'message.received':
    case 'message.sent':
      return event.body.text;
    case 'step.replied':
      return event.body.reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    default:
      return '';
  }
}

/** The words of a query: control characters and white space separate, nothing has a special meaning. */
export function queryWords(query: string): string[] {
  return query
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** An FTS5 query in which every word is a quoted phrase; no input makes a syntax error of it. */
export function ftsQuery(words: readonly string[], prefix: boolean): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"${prefix ? '*' : ''}`).join(' AND ');
}

/** True when the text contains every word, whatever their case. */
export function containsAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word.toLowerCase()));
}

const excerptChars = 300;

/** At most 300 characters around the first word that is found; cuts are marked. */
export function excerpt(text: string, words: readonly string[]): string {
  const chars = Array.from(text);
  if (chars.length <= excerptChars) return text;
  const places = words.map((word) => text.toLowerCase().indexOf(word.toLowerCase()));
  const found = Math.min(...places.filter((at) => at >= 0), text.length);
  const before = found === text.length ? 0 : Array.from(text.slice(0, found)).length;
  const start = Math.max(0, Math.min(before - 100, chars.length - excerptChars));
  const end = start + excerptChars;
  return `${start > 0 ? '…' : ''}${chars.slice(start, end).join('')}${end < chars.length ? '…' : ''}`;
}
