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

/** At most 300 characters around the first word that is found; cuts are marked. */
export function excerpt(text: string, words: readonly string[]): string {
  const chars = [...text];
  if (chars.length <= 300) return text;
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const first = [...lower.slice(0, Math.min(...places, text.length))].length;
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(first - 100, chars.length - 300));
  const part = chars.slice(start, start + 300).join('');
  return `${start > 0 ? '…' : ''}${part}${start + 300 < chars.length ? '…' : ''}`;
}
