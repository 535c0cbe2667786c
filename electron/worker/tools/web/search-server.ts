import { isObject } from '../../../../shared/base/json.ts';
import { errorMessage, KairosError } from '../../../../shared/base/errors.ts';
import type { Clock, StopSignal } from '../../../../shared/base/ports.ts';
import type { SearchQuery, SearchResult, SearchServer } from '../../../../shared/domain/web-search.ts';

const timeoutMs = 20_000;
const longestAnswer = 2 * 1024 * 1024;

/** Asks the server that the owner named. Rejects with a KairosError whose message a model can read; it never holds the key. */
export async function askSearchServer(
  server: SearchServer,
  { query, allowedDomains }: SearchQuery,
  clock: Clock,
  signal: StopSignal,
): Promise<SearchResult[]> {
  const sites = allowedDomains.map((domain) => `site:${domain}`).join(' OR ');
  const wanted = sites === '' ? query : `${query} (${sites})`;
  const url = server.url.replaceAll('{query}', encodeURIComponent(wanted));
  const limit = new AbortController();
  const cancel = clock.after(timeoutMs, () => limit.abort(), { keepAlive: false });
  try {
    const both = AbortSignal.any([limit.signal, signal as AbortSignal]);
    const response = await fetch(url, { headers: headersOf(server), signal: both, redirect: 'error' });
    if (!response.ok) throw new KairosError('search_failed', `the search server answered ${response.status}`);
    return resultsOf(server, await bodyOf(response));
  } catch (error) {
    if (error instanceof KairosError) throw error;
    const late = `the search server did not answer within ${timeoutMs / 1000} s`;
    const why = limit.signal.aborted ? late : `the search server cannot be reached (${causeOf(error)})`;
    throw new KairosError('search_failed', why, { cause: error });
  } finally {
    cancel();
  }
}

function headersOf({ key, keyHeader }: SearchServer): Record<string, string> {
  const accept = { accept: 'application/json' };
  if (key === null) return accept;
  return keyHeader === null ? { ...accept, authorization: `Bearer ${key}` } : { ...accept, [keyHeader]: key };
}

async function bodyOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > longestAnswer)
      throw new KairosError('search_failed', "the search server's answer is larger than 2 MB");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch (error) {
    throw new KairosError('search_failed', "the search server's answer is no JSON", { cause: error });
  }
}

/** What cannot be read as a result is left out; an answer without a list is a failure. */
function resultsOf({ shape }: SearchServer, body: unknown): SearchResult[] {
  const holder = shape === 'brave' ? memberOf(body, 'web') : body;
  const list = memberOf(holder, 'results');
  if (!Array.isArray(list))
    throw new KairosError('search_failed', "the search server's answer holds no list of results");
  return list.flatMap((entry: unknown): SearchResult[] => {
    const [url, title] = [memberOf(entry, 'url'), memberOf(entry, 'title')];
    const said = memberOf(entry, shape === 'brave' ? 'description' : 'content');
    if (typeof url !== 'string') return [];
    return [
      { url, title: typeof title === 'string' ? title : url, snippet: typeof said === 'string' ? said : '' },
    ];
  });
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** fetch hides the system's reason one level down. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorMessage(cause);
}
