import type { getDocumentProxy } from 'unpdf';
import { errorMessage } from '../../../../shared/base/errors.ts';

const mostPages = 20;
const mostCharacters = 150_000;

/** First and last page, from 1; `last` null: as many as are given at once. */
export interface Pages {
  readonly first: number;
  readonly last: number | null;
}

/** Pages of a document that has `count` of them (none: there is no such page), or what is wrong with it, to follow its path. */
export type PdfText =
  | { readonly kind: 'pages'; readonly texts: readonly string[]; readonly count: number }
  | { readonly kind: 'problem'; readonly problem: string };

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The text of the wanted pages, as far as they are given at once. */
export async function pdfText(bytes: Uint8Array, { first, last }: Pages): Promise<PdfText> {
  const document = await openPdf(bytes);
  if (typeof document === 'string') return { kind: 'problem', problem: document };
  try {
    const count = document.numPages;
    const until = Math.min(last ?? count, first + mostPages - 1, count);
    const texts: string[] = [];
    let characters = 0;
    for (let page = first; page <= until; page += 1) {
      const text = await pageText(document, page);
      if (texts.length > 0 && characters + text.length > mostCharacters) break;
      texts.push(text.slice(0, mostCharacters));
      characters += text.length;
    }
    return { kind: 'pages', texts, count };
  } catch (error) {
    return { kind: 'problem', problem: damaged(error) };
  }
}

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
    return damaged(error);
  }
}

function damaged(error: unknown): string {
  return `is a damaged PDF (${errorMessage(error).replace(/\.$/, '')})`;
}

async function pageText(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  return `--- page ${number} ---\n${text.trim() === '' ? '[no text on this page; it may be a picture]' : text}`;
}
