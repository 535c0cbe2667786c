import { isObject } from '../../../../shared/base/json.ts';
import type { Usage } from '../../../../shared/domain/messages.ts';
import type { ModelChoice } from '../../../../shared/domain/models.ts';
import type { SearchResult } from '../../../../shared/domain/web-search.ts';
import type { AnswerSink } from '../request/one-attempt.ts';
import type { SdkPiece } from '../wire/sdk-types.ts';
import type { Told } from '../wire/mend-usage.ts';
import { type Estimate, usageOf } from './usage-of.ts';

/** What a search gave. */
export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  readonly usage: Usage;
}

/** What one search costs beside its tokens: 10 US dollars for 1,000 (Anthropic's price list). */
const searchMicroUsd = 10_000;

type Finish = Extract<SdkPiece, { type: 'finish' }>;

/** Takes what a provider's own search found out of its answer; what its model cites of a page is the extract. */
export class SearchCollector implements AnswerSink<SearchAnswer> {
  readonly #choice: ModelChoice;
  readonly #estimate: Estimate;
  readonly #titles = new Map<string, string>();
  readonly #extracts = new Map<string, string[]>();
  #searches = 0;
  #finish: Finish | null = null;

  constructor(choice: ModelChoice, estimate: Estimate) {
    this.#choice = choice;
    this.#estimate = estimate;
  }

  add(piece: SdkPiece): void {
    if (piece.type === 'tool-call') this.#searches += 1;
    else if (piece.type === 'tool-result') this.#found(piece.result);
    else if (piece.type === 'text-end') this.#cited(piece.providerMetadata?.['anthropic']?.['citations']);
    else if (piece.type === 'finish') this.#finish = piece;
  }

  answer(told: Readonly<Told>): SearchAnswer | null {
    if (this.#finish === null || this.#finish.finishReason.unified === 'error') return null;
    const results = [...this.#titles].map(([url, title]) => ({
      url,
      title,
      snippet: [...new Set(this.#extracts.get(url) ?? [])].join(' … '),
    }));
    const usage = usageOf(this.#finish.usage, this.#choice, told, this.#estimate);
    const paid = this.#choice.price === null ? 0 : this.#searches * searchMicroUsd;
    return { results, usage: { ...usage, microUsd: usage.microUsd + paid } };
  }

  /** Of a text's sources: which words of which page it rests on. */
  #cited(citations: unknown): void {
    if (!Array.isArray(citations)) return;
    for (const citation of citations as unknown[]) {
      if (!isObject(citation) || typeof citation.url !== 'string') continue;
      const { url, cited_text: words } = citation;
      if (typeof words === 'string') this.#extracts.set(url, [...(this.#extracts.get(url) ?? []), words]);
    }
  }

  #found(result: unknown): void {
    if (!Array.isArray(result)) return;
    for (const page of result as unknown[]) {
      if (!isObject(page) || typeof page.url !== 'string') continue;
      this.#titles.set(page.url, typeof page.title === 'string' ? page.title : page.url);
    }
  }
}
