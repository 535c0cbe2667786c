import type { SessionView } from '../../shared/protocol/bridge.ts';

/** The sidebar's three groups, each by latest activity. */
export interface SessionGroups {
  readonly asking: readonly SessionView[];
  readonly working: readonly SessionView[];
  readonly rest: readonly SessionView[];
}

/** What asks or stopped needs the person; what runs or waits for its turn works. */
export function groupSessions(sessions: readonly SessionView[]): SessionGroups {
  const sorted = [...sessions].sort((left, right) => right.lastActivity - left.lastActivity);
  const groupOf = ({ state, openPrompts }: SessionView): keyof SessionGroups => {
    if (openPrompts > 0 || state === 'asking' || state === 'parked') return 'asking';
    return state === 'working' || state === 'queued' ? 'working' : 'rest';
  };
  const members = (group: keyof SessionGroups): SessionView[] =>
    sorted.filter((session) => groupOf(session) === group);
  return { asking: members('asking'), working: members('working'), rest: members('rest') };
}

/** The session `step` rows further in the sidebar, round the end; null when there is none. */
export function neighbour(
  sessions: readonly SessionView[],
  current: string | null,
  step: 1 | -1,
  onlyAsking: boolean,
): string | null {
  const { asking, working, rest } = groupSessions(sessions);
  const rows = onlyAsking ? asking : [...asking, ...working, ...rest];
  if (rows.length === 0) return null;
  const index = rows.findIndex(({ id }) => id === current);
  const start = index < 0 ? (step === 1 ? -1 : rows.length) : index;
  return rows[(start + step + rows.length) % rows.length]?.id ?? null;
}

/** What a session is called. */
export function sessionTitle({ name, id }: Pick<SessionView, 'name' | 'id'>): string {
  return name ?? id;
}
