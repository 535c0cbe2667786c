/** Where a link of a text leads, and the host to show beside it. */
export interface WebLink {
  readonly href: string;
  readonly host: string;
}

/** The link when it is http or https with a host and without a user name that could pass for one; else null: it is shown as text. */
export function webLink(address: string): WebLink | null {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.username !== '' || url.password !== '' || url.host === '') return null;
  return { href: url.href, host: url.host };
}
