import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { SessionView } from '../../../../shared/protocol/bridge.ts';
import type { TurnItem } from '../../../../shared/session/session-view-items.ts';
import { isGone, type Link } from '../../../../shared/viewing/link.ts';
import { pageOf, type ViewerState } from '../follow/viewer-state.ts';
import { foreignSpan, type Line, lineColumns, type Span, span, spread } from '../text/line.ts';
import { momentText } from './item-context.ts';
import { causes, moneyText, plural } from './words.ts';

/** The turn that runs, or the last one that did. */
function newestTurn(state: ViewerState): TurnItem | null {
  const turn = pageOf(state)?.items.findLast(({ kind }) => kind === 'turn');
  return turn?.kind === 'turn' ? turn : null;
}

/** `12 s`, `2 min`: whole seconds, for what is counted while it runs. */
function runningText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** What a session does now, in the words of ux.md 3. */
export function stateSpan(session: SessionView, turn: TurnItem | null, now: number): Span {
  const doing = session.doing === null ? '' : `: ${session.doing}`;
  switch (session.state) {
    case 'asking':
      return span('Needs you', 'asking');
    case 'working': {
      const since = turn === null || turn.outcome !== null ? '' : ` ${runningText(now - turn.at)}`;
      return foreignSpan(`Working${since}${doing}`, 'accent');
    }
    case 'queued':
      return span('Queued', 'muted');
    case 'sleeping':
      return session.nextWakeAt === null
        ? span('Asleep. Wakes when you write.', 'muted')
        : span(`Asleep. Next: ${momentText(session.nextWakeAt, now)}`, 'muted');
    case 'idle':
      return span('Idle', 'muted');
    case 'paused':
      return span('Paused. Only the owner’s messages run.', 'asking');
    case 'parked':
      return foreignSpan(`Stopped: ${session.parked?.reason ?? ''}`, 'bad');
    default:
      return assertNever(session.state, 'session state');
  }
}

/** What is wrong with the connection; null when nothing is. */
export function linkSpan(link: Link): Span | null {
  switch (link.kind) {
    case 'live':
      return null;
    case 'connecting':
      return span('Connecting…', 'muted');
    case 'lost':
      return span(
        isGone(link)
          ? 'Kairos is not running. Start it: kairos daemon start'
          : 'Reconnecting… You can go on typing.',
        'asking',
      );
    case 'refused':
      return foreignSpan(`${link.fault.message} ${link.fault.next}`, 'bad');
    case 'outdated':
      return span('Kairos was updated meanwhile. Leave with Ctrl+C and come back.', 'bad');
    case 'locked':
      return span('Not connected', 'bad');
    default:
      return assertNever(link, 'link');
  }
}

/** The row at the top: which session, what it does, why it woke; without a connection that alone counts. */
export function headerLine(state: ViewerState, now: number, columns: number): Line {
  const session = pageOf(state)?.session;
  const name = foreignSpan(session?.name ?? session?.id ?? state.session, 'strong');
  const lost = linkSpan(state.link) ?? (state.problem === null ? null : foreignSpan(state.problem, 'bad'));
  if (lost !== null || session === undefined)
    return spread([name, span('  '), lost ?? span('Loading history…', 'muted')], [], columns);
  const turn = newestTurn(state);
  const woke =
    turn === null ? [] : [span(`Woke ${momentText(turn.at, now)}: ${causes[turn.cause]}`, 'muted')];
  const paused = state.home?.paused === true ? [span('  Everything is paused', 'asking')] : [];
  return spread([name, span('  '), stateSpan(session, turn, now), ...paused], woke, columns);
}

/** What runs besides, which model, what today cost, and when it wakes by itself; the model gives way where there is no room. */
export function footerLine(state: ViewerState, now: number, columns: number): Line {
  const whole = footerParts(state, now, true);
  return lineColumns(whole) <= columns ? whole : footerParts(state, now, false);
}

function footerParts(state: ViewerState, now: number, withModel: boolean): Line {
  const session = pageOf(state)?.session;
  const usage = state.home?.usage;
  const others = (state.home?.sessions ?? []).filter(
    (other) => other.openPrompts > 0 && other.id !== session?.id,
  ).length;
  const parts: Span[] = [
    ...(session === undefined || session.background === 0
      ? []
      : [span(plural(session.background, 'background task running', 'background tasks running'))]),
    ...(others === 0
      ? []
      : [span(plural(others, 'other session needs you', 'other sessions need you'), 'asking')]),
    ...(session === undefined || session.mode === 'default'
      ? []
      : [span(`mode ${session.mode}`, session.mode === 'bypassPermissions' ? 'bad' : 'muted')]),
    ...(session === undefined || !withModel ? [] : [foreignSpan(session.model, 'muted')]),
    ...(usage === undefined ? [] : [span(costText(usage), 'muted')]),
    ...(session === undefined || session.nextWakeAt === null
      ? []
      : [span(`next ${momentText(session.nextWakeAt, now)}`, 'muted')]),
  ];
  return parts.flatMap((part, index) => (index === 0 ? [part] : [span(', ', 'muted'), part]));
}

function costText({
  dayMicroUsd,
  limitMicroUsd,
}: {
  dayMicroUsd: number;
  limitMicroUsd: number | null;
}): string {
  const spent = moneyText(dayMicroUsd);
  return limitMicroUsd === null ? `${spent} today` : `${spent} of ${moneyText(limitMicroUsd)}`;
}
