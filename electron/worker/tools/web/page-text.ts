import { assertNever } from '../../../../shared/base/assert-never.ts';
import { KairosError } from '../../../../shared/base/errors.ts';
import { decodedText } from '../parsing/decoded-text.ts';
import { parseApart, parseLimitMs, type ParsePorts } from '../parsing/parse-apart.ts';
import type { ParseEnd } from '../parsing/parse-job.ts';
import type { Page } from './guarded-request.ts';

/** A page as a model reads it; `note`: why it is not as it should be. */
export interface PageText {
  readonly text: string;
  readonly note: string | null;
}

/**
 * HTML as Markdown (as plain text where that cannot be made in time), text as it is. Rejects with KairosError `not_text` for
 * anything else and with `unreadable` for a page that cannot be read at all or when the signal ends it.
 */
export async function pageText(
  { type, body }: Pick<Page, 'type' | 'body'>,
  ports: ParsePorts,
): Promise<PageText> {
  const [kind = ''] = type.toLowerCase().split(';', 1);
  const mime = kind.trim();
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return htmlText({ type, body }, ports);
  if (isText(mime) || (mime === '' && looksLikeText(body)))
    return { text: decodedText(body, type), note: null };
  throw new KairosError(
    'not_text',
    `the page is ${mime === '' ? 'binary' : mime}, which is not text; download it with Bash: curl`,
  );
}

async function htmlText(page: Pick<Page, 'type' | 'body'>, ports: ParsePorts): Promise<PageText> {
  const markdown = await parseApart({ kind: 'markdown', ...page }, ports);
  if (markdown.kind === 'done') return { text: markdown.answer, note: null };
  const plain = await parseApart({ kind: 'plain', ...page }, ports);
  if (plain.kind === 'done')
    return { text: plain.answer, note: `only the plain text of the page: ${problem(markdown)}` };
  throw new KairosError('unreadable', problem(plain));
}

function problem(end: Exclude<ParseEnd<string>, { kind: 'done' }>): string {
  switch (end.kind) {
    case 'late':
      return `turning it into Markdown takes longer than ${parseLimitMs.markdown / 1000} s`;
    case 'memory':
      return 'turning it into Markdown takes too much memory';
    case 'failed':
      return `it cannot be turned into Markdown (${end.reason})`;
    case 'interrupted':
      return 'the reading was stopped';
    default:
      return assertNever(end, 'end of parsing');
  }
}

function isText(mime: string): boolean {
  return (
    mime.startsWith('text/') || /^application\/(?:.+\+)?(?:json|xml|javascript|yaml|x-yaml|toml)$/.test(mime)
  );
}

function looksLikeText(body: Uint8Array): boolean {
  return !body.subarray(0, 8_192).includes(0);
}
