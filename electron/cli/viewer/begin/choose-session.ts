import type { SessionView } from '../../../../shared/protocol/bridge.ts';
import { oneLine } from '../../../../shared/base/visible-text.ts';
import { relativeTime } from '../../output/times.ts';
import { columnsOf, fitColumns } from '../text/columns.ts';
import { type Asker, noBody } from './asker.ts';

const states: Readonly<Record<SessionView['state'], string>> = {
  asking: 'needs you',
  working: 'working',
  queued: 'queued',
  idle: 'idle',
  sleeping: 'asleep',
  paused: 'paused',
  parked: 'stopped',
};

const spaced = (parts: readonly string[]): string => parts.join('  ');

/** Lets a person choose one of several sessions: name, state, when made, where it works, id. Null: cancelled. */
export async function chooseSession(
  asker: Asker,
  sessions: readonly SessionView[],
  now: number,
): Promise<SessionView | null> {
  const names = sessions.map(({ name, id }) => fitColumns(oneLine(name ?? id, 64), 32));
  const widest = Math.max(...names.map(columnsOf));
  const offers = sessions.map((session, index) => {
    const name = names[index] ?? session.id;
    const state = states[session.state].padEnd(9);
    return {
      words: name + ' '.repeat(widest - columnsOf(name)),
      detail: spaced([state, `made ${relativeTime(session.createdAt, now)}`]),
      more: spaced([session.id, session.kind, session.model, session.dir]),
    };
  });
  const chosen = await asker.choose({ title: 'Which session?', body: noBody, offers });
  return chosen === null ? null : (sessions[chosen] ?? null);
}
