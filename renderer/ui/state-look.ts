import { assertNever } from '../../shared/base/assert-never.ts';
import type { SessionView } from '../../shared/protocol/bridge.ts';
import { momentText } from '../text/time-text.ts';
import type { WindowText } from '../text/window-text.ts';
import type { IconName } from './icons.tsx';

/** The shape and tone of a session's state; the shape alone tells it. */
export interface StateLook {
  readonly icon: IconName;
  readonly tone: 'asking' | 'accent' | 'muted' | 'danger';
}

/** How a session's state looks. */
export function stateLook({ state }: Pick<SessionView, 'state'>): StateLook {
  switch (state) {
    case 'asking':
      return { icon: 'asking', tone: 'asking' };
    case 'working':
      return { icon: 'working', tone: 'accent' };
    case 'parked':
      return { icon: 'parked', tone: 'danger' };
    case 'queued':
    case 'paused':
    case 'sleeping':
    case 'idle':
      return { icon: state, tone: 'muted' };
    default:
      return assertNever(state, 'session state');
  }
}

/** The one word for a row of the sidebar. */
export function stateWord(text: WindowText, session: SessionView, now: number): string {
  const { states } = text;
  switch (session.state) {
    case 'asking':
      return states.asking;
    case 'working':
      return states.working(null, session.doing);
    case 'queued':
      return states.queuedWord;
    case 'sleeping':
      return session.nextWakeAt === null
        ? states.asleep
        : states.asleepUntil(momentText(text, session.nextWakeAt, now));
    case 'idle':
      return session.background > 0 ? states.background(session.background) : states.idle;
    case 'paused':
      return states.pausedWord;
    case 'parked':
      return states.parkedWord;
    default:
      return assertNever(session.state, 'session state');
  }
}
