import type { SessionView } from '../../../shared/protocol/bridge.ts';
import { durationText } from '../../text/time-text.ts';
import { stateWord } from '../../ui/state-look.ts';
import { useNow } from '../../ui/use-now.ts';
import { useText, useWindow } from '../../ui/window-context.tsx';

/** What a session does, with the seconds its turn runs. */
export function useStateText(session: SessionView): string {
  const text = useText();
  const isWorking = session.state === 'working';
  const since = useWindow(({ pages }) => {
    const turn = pages[session.id]?.items.findLast(({ kind }) => kind === 'turn');
    return turn?.kind === 'turn' && turn.outcome === null ? turn.at : null;
  });
  const isLive = useWindow(({ link }) => link.kind === 'live');
  const now = useNow(isWorking && isLive ? 1000 : null);
  if (isWorking) {
    // Without a connection nobody knows whether it still runs: nothing is counted on.
    const seconds = since === null || !isLive ? null : durationText(text, now - since);
    return text.states.working(seconds, session.doing);
  }
  if (session.state === 'sleeping' && session.nextWakeAt === null) return text.states.asleepNoAlarm;
  return stateWord(text, session, now);
}
