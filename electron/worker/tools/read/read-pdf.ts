import type { getDocumentProxy } from 'unpdf';
import { errorMessage } from '../../../../shared/base/errors.ts';
import type { Clock, StopSignal } from '../../../../shared/base/ports.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import { failed, ok } from '../tool.ts';
import { wholeFile } from './whole-file.ts';

const longestPdf = 50 * 1024 * 1024;
const mostPages = 20;
const mostCharacters = 150_000;

/** First and last page, from 1; `last` null: as many as are given at once. */
export interface Pages {
  readonly first: number;
  readonly last: number | null;
}

/** Reads `3`, `1-5`, `4-`; null when it is none of them. */
export function parsePages(text: string): Pages | null {
  const [, from, dash, to] = /^\s*(\d{1,6})\s*(-)?\s*(\d{1,6})?\s*$/.exec(text) ?? [];
  if (from === undefined || (to !== undefined && dash === undefined)) return null;
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? null : Number(to);
  return first < 1 || (last !== null && last < first) ? null : { first, last };
}

/** The text of a PDF, page by page. Throws as `readPieces` does. */
export async function readPdf(
  path: string,
  { first, last }: Pages,
  clock: Clock,
  signal: StopSignal,
): Promise<CallResult> {
  const bytes = await wholeFile(path, longestPdf, clock);
  if (bytes === null) return failed(`"${path}" is larger than 50 MB; take pages out of it with Bash.`);
  const document = await openPdf(bytes);
  if (typeof document === 'string') return failed(`"${path}" ${document}.`);
  try {
    const count = document.numPages;
    if (first > count) return failed(`"${path}" has ${count} pages, no page ${first}.`);
    const until = Math.min(last ?? count, first + mostPages - 1, count);
    const texts: string[] = [];
    let characters = 0;
    for (let page = first; page <= until; page += 1) {
      if (signal.aborted) return { outcome: 'interrupted', output: 'Stopped by an interrupt.' };
      const text = await pageText(document, page);
      if (texts.length > 0 && characters + text.length > mostCharacters) break;
      texts.push(text.slice(0, mostCharacters));
      characters += text.length;
    }
    return ok(shown(texts, first, count));
  } catch (error) {
    return failed(`"${path}" is a damaged PDF (${errorMessage(error)}).`);
  } finally {
    await document.loadingTask.destroy();
  }
}

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Loaded only when a PDF is read: it brings 2 MB of code. */
async function openPdf(bytes: Uint8Array): Promise<Document | string> {
  const { getDocumentProxy: open } = await import('unpdf');
  try {
    // What is odd about a document is nobody's log.
    return await open(bytes, { verbosity: 0 });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException')
      return 'is an encrypted PDF and needs a password; take the protection off with Bash, for example: qpdf --decrypt';
    return `is a damaged PDF (${errorMessage(error).replace(/\.$/, '')})`;
  }
}

async function pageText(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  return `--- page ${number} ---\n${text.trim() === '' ? '[no text on this page; it may be a picture]' : text}`;
}

function shown(texts: readonly string[], first: number, count: number): string {
  const next = first + texts.length;
  const more = next <= count ? `\n[there is more: go on with pages "${next}-"]` : '';
  return `[PDF, ${count} ${count === 1 ? 'page' : 'pages'}]\n${texts.join('\n')}${more}`;
}
