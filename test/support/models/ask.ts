/** One tool call that the conversation contains. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** One answer to a tool call, its text parts joined. */
export interface AskedResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly images: number;
  readonly isError: boolean;
}

/** Messages of one side in a row, as one. */
export interface AskedTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly images: number;
  readonly thinking: string;
  readonly calls: readonly AskedCall[];
  readonly results: readonly AskedResult[];
}

/** A valid request in words that both wires share, so that one script answers both. */
export interface Ask {
  readonly wire: 'anthropic' | 'openai';
  readonly model: string;
  readonly stream: boolean;
  readonly maxTokens: number | undefined;
  readonly system: string;
  readonly tools: readonly string[];
  readonly turns: readonly AskedTurn[];
}

/** The newest text of the person's side; '' when there is none. */
export function lastUserText(ask: Ask): string {
  return ask.turns.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? '';
}

/** The tool results that came with this request. */
export function lastResults(ask: Ask): readonly AskedResult[] {
  const last = ask.turns.at(-1);
  return last?.role === 'user' ? last.results : [];
}

/** Joins neighbours of one role and names each result after its call. */
export function joinTurns(turns: readonly AskedTurn[]): readonly AskedTurn[] {
  const names = new Map(turns.flatMap(({ calls }) => calls.map(({ id, name }) => [id, name] as const)));
  const joined: AskedTurn[] = [];
  for (const turn of turns) {
    const named = turn.results.map((result) => ({ ...result, name: names.get(result.id) ?? '' }));
    const before = joined.at(-1);
    if (before?.role !== turn.role) joined.push({ ...turn, results: named });
    else {
      joined[joined.length - 1] = {
        role: turn.role,
        text: [before.text, turn.text].filter((text) => text !== '').join('\n'),
        images: before.images + turn.images,
        thinking: before.thinking + turn.thinking,
        calls: [...before.calls, ...turn.calls],
        results: [...before.results, ...named],
      };
    }
  }
  return joined;
}
