import { KairosError } from '../../../../shared/base/errors.ts';
import { guardedRequest, type Page, type RequestTerms } from './guarded-request.ts';

const mostRedirects = 10;

/** A page as it came, or an address of another host that the first one sends to. */
export type Fetched =
  | { readonly kind: 'page'; readonly url: string; readonly page: Page }
  | { readonly kind: 'elsewhere'; readonly url: string };

/**
 * Asks for a page, following redirects on the same host. One to another host is only named: the person allowed this host.
 * Rejects with a KairosError whose message a model can read.
 */
export async function fetchPage(start: URL, terms: RequestTerms): Promise<Fetched> {
  let url = start;
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    const page = await guardedRequest(url, terms);
    if (page.location === null) return { kind: 'page', url: url.href, page };
    const next = checkedUrl(page.location);
    if (typeof next === 'string')
      throw new KairosError('bad_redirect', `"${url.host}" redirects to an address that ${next}`);
    if (!isSameSite(url, next)) return { kind: 'elsewhere', url: next.href };
    url = next;
  }
  throw new KairosError('bad_redirect', `"${start.host}" redirects more than ${mostRedirects} times`);
}

/** The address, or what is wrong with it. */
export function checkedUrl(given: string): URL | string {
  const url = URL.parse(given);
  if (url === null) return 'is not a complete address such as https://example.com/page';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not http or https';
  if (url.username !== '' || url.password !== '') return 'contains a user name or password';
  return url;
}

/** The same host, with or without `www.`, never from https to http. */
function isSameSite(from: URL, to: URL): boolean {
  const bare = (url: URL): string => url.hostname.replace(/^www\./, '');
  if (from.protocol === 'https:' && to.protocol === 'http:') return false;
  return bare(from) === bare(to);
}
