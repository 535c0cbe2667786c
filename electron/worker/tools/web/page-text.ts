import { KairosError } from '../../../../shared/base/errors.ts';
import type { Page } from './guarded-request.ts';

/** The page as text for a model: HTML as Markdown, text as it is. Rejects with KairosError `not_text` for anything else. */
export async function pageText({ type, body }: Pick<Page, 'type' | 'body'>): Promise<string> {
  const [kind = ''] = type.toLowerCase().split(';', 1);
  const mime = kind.trim();
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return markdownOf(decode(body, type));
  if (isText(mime) || (mime === '' && looksLikeText(body))) return decode(body, type);
  throw new KairosError(
    'not_text',
    `the page is ${mime === '' ? 'binary' : mime}, which is not text; download it with Bash: curl`,
  );
}

function isText(mime: string): boolean {
  return (
    mime.startsWith('text/') || /^application\/(?:.+\+)?(?:json|xml|javascript|yaml|x-yaml|toml)$/.test(mime)
  );
}

function looksLikeText(body: Uint8Array): boolean {
  return !body.subarray(0, 8_192).includes(0);
}

function decode(body: Uint8Array, type: string): string {
  const named = /charset=["']?([^"';\s]+)/i.exec(type)?.[1] ?? metaCharset(body) ?? 'utf-8';
  return decoder(named).decode(body);
}

function decoder(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    // A charset nobody knows: most pages that claim one are UTF-8.
    return new TextDecoder();
  }
}

function metaCharset(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, 1_024)).toString('latin1');
  return /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
}

/** Without what no reader sees: scripts, styles, navigation, forms. */
async function markdownOf(html: string): Promise<string> {
  const { default: Turndown } = await import('turndown');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  turndown.remove([
    'title',
    'script',
    'style',
    'noscript',
    'nav',
    'iframe',
    'form',
    'button',
    'template' as 'a',
    'svg' as 'a',
  ]);
  turndown.addRule('pictures', {
    filter: 'img',
    replacement: (_content, node) =>
      pictureText((node as unknown as { getAttribute(name: string): string | null }).getAttribute('alt')),
  });
  const title = /<title(?:\s[^<>]{0,200})?>([^<]{0,1000})<\/title>/i.exec(html)?.[1]?.trim() ?? '';
  const text = turndown
    .turndown(html)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return title === '' || text.startsWith(`# ${title}`) ? text : `# ${title}\n\n${text}`;
}

function pictureText(alt: string | null): string {
  return alt === null || alt.trim() === '' ? '' : `[picture: ${alt.trim()}]`;
}
