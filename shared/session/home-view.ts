import { assertNever } from '../base/assert-never.ts';
import type { PromptView } from '../domain/prompts.ts';
import type { HomeChange, HomeView, SessionView } from './home-view-schema.ts';

type Identified = { readonly id: string };

/** Sorted by id (ids are made in order of time) and each id once, so that every way to the same facts gives the same list. */
export function sortById<Row extends Identified>(rows: readonly Row[]): Row[] {
  const newest = new Map(rows.map((row) => [row.id, row]));
  return [...newest.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** The list with `row` in the place of the one with its id; sorted lists stay sorted. */
export function putById<Row extends Identified>(rows: readonly Row[], row: Row): Row[] {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.id ?? '') < row.id) low = middle + 1;
    else high = middle;
  }
  return rows.toSpliced(low, rows[low]?.id === row.id ? 1 : 0, row);
}

/** The view with its lists in the reducer's order; what a client starts from. */
export function openHome(snapshot: HomeView): HomeView {
  return { ...snapshot, sessions: sortById(snapshot.sessions), prompts: sortById(snapshot.prompts) };
}

/** The next home view. Every change replaces what it names, so repeating one changes nothing. */
export function reduceHome(view: HomeView, change: HomeChange): HomeView {
  switch (change.type) {
    case 'session':
      return { ...view, sessions: putById(view.sessions, change.session) };
    case 'sessions':
      return { ...view, sessions: putMany(view.sessions, change.sessions) };
    case 'session_gone':
      return withoutSession(view, change.id);
    case 'prompt':
      return { ...view, prompts: putPrompt(view.prompts, change.prompt) };
    case 'problems':
      return { ...view, problems: change.problems };
    case 'paused':
      return { ...view, paused: change.paused };
    case 'usage': {
      const { dayMicroUsd, limitMicroUsd } = change;
      return { ...view, usage: { dayMicroUsd, limitMicroUsd } };
    }
    default:
      return assertNever(change, 'home change');
  }
}

function putMany(rows: readonly SessionView[], changed: readonly SessionView[]): SessionView[] {
  return sortById([...rows, ...changed]);
}

function withoutSession(view: HomeView, id: string): HomeView {
  return {
    ...view,
    sessions: view.sessions.filter((session) => session.id !== id),
    prompts: view.prompts.filter((prompt) => prompt.session !== id),
  };
}

function putPrompt(prompts: readonly PromptView[], prompt: PromptView): PromptView[] {
  return prompt.state === 'open'
    ? putById(prompts, prompt)
    : prompts.filter((candidate) => candidate.id !== prompt.id);
}
