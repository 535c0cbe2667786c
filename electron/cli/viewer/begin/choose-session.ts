import type { SessionView } from '../../../../shared/protocol/bridge.ts';
import { localTime, relativeTime } from '../../output/times.ts';
import { span } from '../text/line.ts';
import type { Asker } from './asker.ts';

const states: Readonly<Record<SessionView['state'], string>> = {
  asking: 'needs you',
  working: 'working',
  queued: 'queued',
  idle: 'idle',
  sleeping: 'asleep',
  paused: 'paused',
  parked: 'stopped',
};

/** Under 24 h how long ago, else the day. */
function createdText({ createdAt }: SessionView, now: number): string {
  return `made ${relativeTime(createdAt, now) || localTime(createdAt)}`;
}

/** Lets a person choose one of several sessions: name, state, when made, where it works, id. Null: cancelled. */
export async function chooseSession(
  asker: Asker,
  sessions: readonly SessionView[],
  now: number,
): Promise<SessionView | null> {
  const chosen = await asker.choose({
    title: 'Which session?',
    body: () => [[span('')]],
    offers: sessions.map((session) => ({
      words: session.name ?? session.id,
      detail: [
        states[session.state],
        createdText(session, now),
        session.dir,
        ...(session.name === null ? [] : [session.id]),
      ].join('  '),
    })),
  });
  return chosen === null ? null : (sessions[chosen] ?? null);
}
