import type { ToolText } from '../../../shared/domain/frames.ts';

/** What a query of FindTools found; `unknown`: names that were selected and are no tools. */
export interface ToolQuery {
  readonly found: readonly ToolText[];
  readonly unknown: readonly string[];
}

/** Schemas that one answer carries at most, unless they were named. */
const most = 5;

/** Best first: names count more than words of the description; `select:A,B` takes exactly those. Pure. */
export function toolQuery(query: string, tools: readonly ToolText[]): ToolQuery {
  const selected = /^\s*select:(.*)$/is.exec(query)?.[1];
  if (selected !== undefined) return selectTools(selected, tools);
  const words = wordsOf(query);
  const ranked = tools
    .map((tool) => ({ tool, score: score(tool, words) }))
    .filter((each) => each.score > 0)
    .sort((left, right) => right.score - left.score || (left.tool.name < right.tool.name ? -1 : 1));
  return { found: ranked.slice(0, most).map(({ tool }) => tool), unknown: [] };
}

function selectTools(text: string, tools: readonly ToolText[]): ToolQuery {
  const names = text.split(',').flatMap((name) => name.trim() || []);
  const named = names.map((name) => ({
    name,
    tool: tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase()),
  }));
  return {
    found: [...new Set(named.flatMap(({ tool }) => tool ?? []))],
    unknown: named.flatMap(({ name, tool }) => (tool ? [] : [name])),
  };
}

/** Words of a text or of a name in one of the usual spellings (`WebFetch`, `send_user_file`). */
function wordsOf(text: string): string[] {
  const parts = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').toLowerCase();
  return parts.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function score({ name, description }: ToolText, words: readonly string[]): number {
  const inName = wordsOf(name);
  const told = wordsOf(description);
  const whole = name.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (whole === word) sum += 20;
    if (inName.some((part) => isSame(part, word))) sum += 6;
    else if (word.length > 2 && whole.includes(word)) sum += 3;
    if (told.some((part) => isSame(part, word))) sum += word.length > 3 ? 2 : 1;
  }
  return sum;
}

/** Equal, or one is the beginning of the other (`file`, `files`). */
function isSame(part: string, word: string): boolean {
  if (part === word) return true;
  return part.length > 3 && word.length > 3 && (part.startsWith(word) || word.startsWith(part));
}
