import { KairosError } from '../../shared/base/errors.ts';
import type { Clock } from '../../shared/base/ports.ts';
import type { SearchResult, WebSearch } from '../../shared/domain/web-search.ts';
import type { ModelPort, SearchRequest, SessionPort } from './agent/ports.ts';
import { askSearchServer } from './tools/web/search-server.ts';
import type { FindPages } from './tools/web/web-search.ts';

/** Tokens of a search: what it finds comes back to the provider's model. */
const searchTokens = { context: 20_000, most: 1_500 };

/** How this session searches the web: by its model's provider where that offers it, else by the server of the settings; null: not at all. */
export function webSearcher(
  model: ModelPort,
  port: Pick<SessionPort, 'ask'>,
  terms: { readonly webSearch: WebSearch | undefined; readonly clock: Clock },
): FindPages | null {
  const { search } = model;
  if (search) return (query, signal) => searchBeside(port, search, { ...query, signal });
  const server = terms.webSearch?.endpoint ?? null;
  return server && ((query, signal) => askSearchServer(server, query, terms.clock, signal));
}

/** A request beside the conversation, reserved before and settled after it. */
async function searchBeside(
  port: Pick<SessionPort, 'ask'>,
  search: NonNullable<ModelPort['search']>,
  wanted: Omit<SearchRequest, 'maxOutputTokens'>,
): Promise<readonly SearchResult[]> {
  const begun = await port.ask('beginSide', {
    purpose: 'search',
    contextTokens: searchTokens.context,
    maxOutputTokens: searchTokens.most,
  });
  if ('refused' in begun) throw new KairosError('budget', begun.refused);
  try {
    const { results, usage } = await search({ ...wanted, maxOutputTokens: searchTokens.most });
    await port.ask('endSide', { id: begun.id, usage });
    return results;
  } catch (error) {
    await port.ask('endSide', { id: begun.id, usage: null });
    throw error;
  }
}
