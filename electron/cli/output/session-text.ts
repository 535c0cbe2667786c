import { assertNever } from '../../../shared/base/assert-never.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import { isModelWait } from '../../../shared/domain/model-wait.ts';
import type { SessionView } from '../../../shared/protocol/bridge.ts';
import { foreignLine } from './foreign-text.ts';
import { modeMark } from './mode-text.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { isoTime, localTime, relativeTime } from './times.ts';
import { wrapLine } from './wrap.ts';

/** A session in a list; archived ones are put away and never run. */
export type ListedSession = SessionView & { readonly archived: boolean };

/** A session as `--json` gives it; times are ISO 8601 in UTC, `pid` null while it sleeps. */
export function sessionFacts(session: SessionView) {
  const { id, name, kind, state, pid, dir, mode, model, paused, doing, openPrompts, pending, background } =
    session;
  const { parked } = session;
  return {
    id,
    name,
    kind,
    state,
    pid,
    dir,
    createdAt: isoTime(session.createdAt),
    lastActivity: isoTime(session.lastActivity),
    mode,
    model,
    paused,
    doing,
    openPrompts,
    pending,
    background,
    nextWakeAt: session.nextWakeAt === null ? null : isoTime(session.nextWakeAt),
    parked: parked === null ? null : { ...parked, at: isoTime(parked.at) },
  };
}

function idleWords(background: number): string {
  if (background === 0) return 'Idle';
  return background === 1 ? '1 background task running' : `${background} background tasks running`;
}

/** Whole: what to do about it stands at its end. */
function stopReason({ parked }: ListedSession): string {
  return oneLine(parked?.reason ?? 'no reason given', 600);
}

/** What a session does now, in the words of ux.md. */
function stateWords(session: ListedSession, now: number, narrow: boolean): string {
  if (session.archived) return 'Archived';
  switch (session.state) {
    case 'asking':
      return session.openPrompts === 1 ? 'Needs you' : `Needs you (${session.openPrompts})`;
    case 'working':
      return session.doing === null
        ? 'Working'
        : `Working: ${oneLine(session.doing, isModelWait(session.doing) ? 100 : 40)}`;
    case 'queued':
      return 'Queued';
    case 'sleeping':
      return session.nextWakeAt === null ? 'Asleep' : `Asleep. Next: ${wakeTime(session.nextWakeAt, now)}`;
    case 'idle':
      return idleWords(session.background);
    case 'paused':
      return 'Paused';
    case 'parked':
      return narrow ? 'Stopped' : `Stopped: ${stopReason(session)}`;
    default:
      return assertNever(session.state, 'session state');
  }
}

function wakeTime(at: number, now: number): string {
  return at - now < 24 * 60 * 60 * 1000 ? localTime(at).slice(11) : localTime(at);
}

/** Below this many columns reasons stand under the table: beside the other cells they would be a ribbon. */
const narrowColumns = 80;

function rank({ state, archived }: ListedSession): number {
  if (archived) return 4;
  if (state === 'asking') return 0;
  if (state === 'parked') return 1;
  return state === 'working' ? 2 : 3;
}

function toned(session: ListedSession, paint: Paint): (text: string) => string {
  if (session.state === 'asking') return (text) => paint('asking', text);
  if (session.state === 'parked') return (text) => paint('bad', text);
  return session.state === 'working' ? (text) => text : (text) => paint('muted', text);
}

function nameOf({ id, name }: ListedSession): string {
  return name === null ? foreignLine(id) : oneLine(name, 64);
}

/** Only where one of the sessions has another mode than the usual one: the column costs width. */
function modeCell({ mode }: ListedSession, paint: Paint): Cell {
  const tone = mode === 'bypassPermissions' ? 'bad' : 'muted';
  return { text: modeMark(mode), paint: (text) => paint(tone, text), fit: 'wrap' };
}

function row(
  session: ListedSession,
  now: number,
  paint: Paint,
  { narrow, withModes }: { narrow: boolean; withModes: boolean },
): Cell[] {
  return [
    { text: nameOf(session) },
    { text: stateWords(session, now, narrow), paint: toned(session, paint), fit: 'wrap' },
    ...(withModes ? [modeCell(session, paint)] : []),
    { text: relativeTime(session.lastActivity, now) },
    { text: oneLine(session.dir, 400), paint: (text) => paint('muted', text) },
  ];
}

/** Sessions as a table: what asks comes first, then what stopped, what works, and the rest by activity. */
export function sessionTable(
  sessions: readonly ListedSession[],
  now: number,
  paint: Paint,
  columns: number | undefined,
): string {
  const ordered = [...sessions].sort(
    (left, right) => rank(left) - rank(right) || right.lastActivity - left.lastActivity,
  );
  const withModes = ordered.some(({ mode }) => mode !== 'default');
  const titles = ['Session', 'State', ...(withModes ? ['Mode'] : []), 'Activity', 'Directory'];
  const head = titles.map((text) => ({ text, paint: (word: string) => paint('strong', word) }));
  const narrow = columns !== undefined && columns < narrowColumns;
  const reasons = ordered
    .filter(({ state, archived }) => narrow && state === 'parked' && !archived)
    .map((session) => `${wrapLine(`${nameOf(session)} stopped: ${stopReason(session)}`, columns, 2)}\n`);
  const rows = ordered.map((session) => row(session, now, paint, { narrow, withModes }));
  return table([head, ...rows], columns) + reasons.join('');
}
