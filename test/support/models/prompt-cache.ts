import { createHash } from 'node:crypto';
import { tokensOf, weightOf } from './tokens.ts';

/** A part of a prompt in its order; `mark` = a cache mark sits on it. */
export interface PromptPart {
  readonly content: unknown;
  readonly mark: boolean;
}

/** A prompt's tokens by where they come from. */
export interface CacheFigures {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

interface Prefix {
  readonly hash: string;
  readonly tokens: number;
  readonly mark: boolean;
}

function prefixesOf(model: string, parts: readonly PromptPart[]): Prefix[] {
  let hash = createHash('sha256').update(model).digest('hex');
  let weight = 0;
  return parts.map(({ content, mark }) => {
    weight += weightOf(content);
    hash = createHash('sha256').update(hash).update(JSON.stringify(content)).digest('hex');
    return { hash, tokens: tokensOf(weight), mark };
  });
}

/** Cache with marks: a prefix is written where a mark is, and read from up to `lookback` parts before a mark. */
export function createMarkedCache(options: { readonly minTokens: number; readonly lookback?: number }) {
  const stored = new Set<string>();
  const { minTokens, lookback = 20 } = options;
  const readFor = (prefixes: readonly Prefix[], at: number): number => {
    const reachable = prefixes.slice(Math.max(0, at - lookback), at + 1);
    return reachable.findLast(({ hash }) => stored.has(hash))?.tokens ?? 0;
  };
  return {
    /** Counts without changing the cache; `commit` stores what the marks say. */
    tally(model: string, parts: readonly PromptPart[]): CacheFigures & { commit(): void } {
      const prefixes = prefixesOf(model, parts);
      const marked = prefixes.flatMap((prefix, at) =>
        prefix.mark && prefix.tokens >= minTokens ? [{ prefix, at }] : [],
      );
      const cacheRead = Math.max(0, ...marked.map(({ at }) => readFor(prefixes, at)));
      const cached = Math.max(cacheRead, marked.at(-1)?.prefix.tokens ?? 0);
      return {
        input: (prefixes.at(-1)?.tokens ?? 0) - cached,
        cacheRead,
        cacheWrite: cached - cacheRead,
        commit: () => marked.forEach(({ prefix }) => stored.add(prefix.hash)),
      };
    },
    forget: () => stored.clear(),
  };
}

/** Automatic cache: the longest prefix of an earlier prompt counts as read, in whole steps of `step` tokens from `minTokens` on. */
export function createAutomaticCache(options: { readonly minTokens: number; readonly step?: number }) {
  const stored = new Set<string>();
  const { minTokens, step = minTokens === 0 ? 16 : 128 } = options;
  const hashesOf = (model: string, parts: readonly PromptPart[]): string[] => {
    const text = parts.map(({ content }) => JSON.stringify(content)).join('\n');
    let hash = model;
    return Array.from({ length: Math.floor(text.length / (step * 4)) }, (_, at) => {
      const piece = text.slice(at * step * 4, (at + 1) * step * 4);
      hash = createHash('sha256').update(hash).update(piece).digest('hex');
      return hash;
    });
  };
  return {
    /** Counts without changing the cache; `commit` stores this prompt. */
    tally(model: string, parts: readonly PromptPart[]): CacheFigures & { commit(): void } {
      const total = prefixesOf(model, parts).at(-1)?.tokens ?? 0;
      const hashes = hashesOf(model, parts);
      const unknown = hashes.findIndex((hash) => !stored.has(hash));
      const known = Math.min(total, (unknown === -1 ? hashes.length : unknown) * step);
      const cacheRead = known >= minTokens ? known : 0;
      return {
        input: total - cacheRead,
        cacheRead,
        cacheWrite: 0,
        commit: () => hashes.forEach((hash) => stored.add(hash)),
      };
    },
    forget: () => stored.clear(),
  };
}
