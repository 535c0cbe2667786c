import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import { parseApart, parseLimitMs, type ParsePorts } from '../parsing/parse-apart.ts';
import type { Pages } from '../parsing/pdf-text.ts';
import { failed, ok } from '../tool.ts';

/** Bytes of a PDF that is read at all. */
export const longestPdf = 50 * 1024 * 1024;

/** Reads `3`, `1-5`, `4-`; null when it is none of them. */
export function parsePages(text: string): Pages | null {
  const [, from, dash, to] = /^\s*(\d{1,6})\s*(-)?\s*(\d{1,6})?\s*$/.exec(text) ?? [];
  if (from === undefined || (to !== undefined && dash === undefined)) return null;
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? null : Number(to);
  return first < 1 || (last !== null && last < first) ? null : { first, last };
}

/** The text of a PDF, page by page; `bytes` null: it is larger than `longestPdf`. */
export async function readPdf(
  path: string,
  bytes: Uint8Array | null,
  pages: Pages,
  ports: ParsePorts,
): Promise<CallResult> {
  if (bytes === null) return failed(`"${path}" is larger than 50 MB; take pages out of it with Bash.`);
  const end = await parseApart({ kind: 'pdf', body: bytes, pages }, ports);
  const instead = 'read fewer pages at a time, or try Bash: pdftotext';
  switch (end.kind) {
    case 'interrupted':
      return { outcome: 'interrupted', output: 'Stopped by an interrupt.' };
    case 'late':
      return failed(`"${path}" takes longer than ${parseLimitMs.pdf / 1000} s to read; ${instead}.`);
    case 'memory':
      return failed(`"${path}" takes too much memory to read; ${instead}.`);
    case 'failed':
      return failed(`"${path}" is a damaged PDF (${end.reason}).`);
    case 'done':
      break;
    default:
      return assertNever(end, 'end of parsing');
  }
  const { answer } = end;
  if (answer.kind === 'problem') return failed(`"${path}" ${answer.problem}.`);
  const { texts, count } = answer;
  if (pages.first > count) return failed(`"${path}" has ${count} pages, no page ${pages.first}.`);
  return ok(shown(texts, pages.first, count));
}

function shown(texts: readonly string[], first: number, count: number): string {
  const next = first + texts.length;
  const more = next <= count ? `\n[there is more: go on with pages "${next}-"]` : '';
  return `[PDF, ${count} ${count === 1 ? 'page' : 'pages'}]\n${texts.join('\n')}${more}`;
}
