import { type Ask, type AskedTurn } from './ask.ts';
import { type Piece, type Script, type ScriptedCall, calls, text, thinking } from './script.ts';
import type { Answer } from './server.ts';

type Step = (ask: Ask) => Script;

/** One rule: its steps answer one after the other, each request of the turn the next one. */
export interface Rule {
  /** The next step is these calls, in parallel. */
  calls(...list: readonly ScriptedCall[]): Rule;
  /** The next step is this text, or what the function makes of the request (its tool results). */
  says(what: string | ((ask: Ask) => string)): Rule;
  /** The next step begins with this thinking; what is called next belongs to the same step. */
  thinks(what: string): Rule;
  /** The next step is these pieces. */
  replies(...pieces: readonly Piece[]): Rule;
}

/** A model that answers by rules on what the person said. */
export interface Mind {
  /** The first rule whose pattern matches the newest text of the person's side wins. */
  when(pattern: RegExp | ((said: string) => boolean)): Rule;
  /** For texts that no rule matches. */
  otherwise(): Rule;
  readonly answer: Answer;
}

function ruleOf(steps: Step[]): Rule {
  let before: readonly Piece[] = [];
  const add = (step: Step): Rule => {
    const opening = before;
    before = [];
    steps.push((ask) => [...opening, ...step(ask)]);
    return rule;
  };
  const rule: Rule = {
    calls: (...list) => add(() => [calls(...list)]),
    says: (what) => add((ask) => [text(typeof what === 'string' ? what : what(ask))]),
    replies: (...pieces) => add(() => pieces),
    thinks(what) {
      before = [...before, thinking(what)];
      return rule;
    },
  };
  return rule;
}

interface Known {
  readonly matches: (said: string) => boolean;
  readonly name: string;
  readonly steps: readonly Step[];
}

// Texts that come beside tool results may be the client's own remarks: without a rule for them the earlier text goes on.
function chosen(
  turns: readonly AskedTurn[],
  rules: readonly Known[],
): { rule: Known; at: number } | undefined {
  for (let at = turns.length - 1; at >= 0; at -= 1) {
    const turn = turns[at];
    if (turn?.role !== 'user' || turn.text === '') continue;
    const rule = rules.find(({ matches }) => matches(turn.text));
    if (rule !== undefined) return { rule, at };
    if (turn.results.length === 0) return undefined;
  }
  return undefined;
}

/**
 * A mind without rules. It holds no state: which step is due is counted from the conversation itself, so the same
 * request gets the same answer again, after a crash of the client too.
 */
export function createMind(): Mind {
  const rules: Known[] = [];
  const otherwise: Step[] = [];
  const rest: Known = { matches: () => true, name: 'otherwise', steps: otherwise };
  return {
    when(pattern) {
      const steps: Step[] = [];
      const matches = pattern instanceof RegExp ? (said: string) => said.search(pattern) !== -1 : pattern;
      rules.push({ matches, name: String(pattern), steps });
      return ruleOf(steps);
    },
    otherwise: () => ruleOf(otherwise),
    answer(ask) {
      const { rule, at } = chosen(ask.turns, rules) ?? {
        rule: rest,
        at: ask.turns.findLastIndex(({ role, results }) => role === 'user' && results.length === 0),
      };
      const due = ask.turns.slice(at + 1).filter(({ role }) => role === 'assistant').length;
      const step = rule.steps[due];
      if (step === undefined) throw new Error(`the mind has no step ${due + 1} for ${rule.name}`);
      return step(ask);
    },
  };
}
