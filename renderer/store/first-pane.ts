import { groupSessions } from './session-order.ts';
import type { Pane, WindowState } from './window-state.ts';

/** What a window opens with: what asks, else the session it showed last, else the most recent, else the form for the first. */
export function firstPane({ home }: Pick<WindowState, 'home'>, last: string | null): Pane {
  const { asking, working, rest } = groupSessions(home?.sessions ?? []);
  const known = [...asking, ...working, ...rest];
  const chosen = asking[0] ?? known.find(({ id }) => id === last) ?? known[0];
  return chosen === undefined ? { kind: 'new' } : { kind: 'session', id: chosen.id };
}
