/** A page as Markdown, without what no reader sees: scripts, styles, navigation, forms. Takes quadratic time for hostile pages. */
export async function htmlMarkdown(html: string): Promise<string> {
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
