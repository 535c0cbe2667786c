import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '../../../../shared/base/visible-text.ts';
import type { SessionView } from '../../../../shared/protocol/bridge.ts';
import { sessionsAnswerSchema } from '../../bridge/answers.ts';
import { get } from '../../bridge/client.ts';
import type { CliContext } from '../../context.ts';
import { exit } from '../../exit.ts';
import { CommandFailure } from '../../failure.ts';
import { notice } from '../../output/print.ts';
import { safeModeNote, startDetached } from '../../process/start-detached.ts';
import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { Asker } from './asker.ts';
import { chooseSession } from './choose-session.ts';
import { setUpSession } from './set-up.ts';

/** Names of sessions that an error lists. */
const mostListed = 20;

/** What was asked for without a name, or with one that does not exist. */
export type Wanted =
  | { readonly kind: 'found'; readonly session: SessionView }
  | { readonly kind: 'choose'; readonly sessions: readonly SessionView[] }
  | { readonly kind: 'set_up' };

function nameOf({ id, name }: SessionView): string {
  return oneLine(name ?? id, 64);
}

/** The session with this id or name; the failure for none lists those that exist. */
export function named(sessions: readonly SessionView[], wanted: string): SessionView {
  const found = sessions.find(({ id }) => id === wanted) ?? sessions.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const names = sessions.slice(0, mostListed).map(nameOf);
  const more = sessions.length > mostListed ? ` and ${sessions.length - mostListed} more` : '';
  const known = names.length === 0 ? 'There are no sessions yet.' : `There are: ${names.join(', ')}${more}.`;
  throw new CommandFailure(
    exit.failed,
    `There is no session "${oneLine(wanted, 64)}". ${known}`,
    'See them with: kairos sessions',
  );
}

/** What to do: none -> set-up, one -> that one, several -> choose. What asks comes first, then by activity. */
export function wantedSession(all: readonly SessionView[], wanted: string | undefined): Wanted {
  const sessions = all.filter(({ kind }) => kind !== 'daemon-worker');
  if (wanted !== undefined) return { kind: 'found', session: named(sessions, wanted) };
  const [only, ...others] = sessions;
  if (only === undefined) return { kind: 'set_up' };
  if (others.length === 0) return { kind: 'found', session: only };
  const rank = ({ openPrompts, state }: SessionView): number =>
    openPrompts > 0 ? 0 : state === 'working' ? 1 : 2;
  const sorted = sessions.toSorted(
    (left, right) => rank(left) - rank(right) || right.lastActivity - left.lastActivity,
  );
  return { kind: 'choose', sessions: sorted };
}

/** True when nothing was ever stored on this home: then nothing has to be started to know that there is no session. */
function isFirstTime({ home }: CliContext): boolean {
  return !existsSync(join(home.home, 'store.db')) && !existsSync(home.daemonFile);
}

/** The session to follow, found, chosen or made; null when the person changed their mind. Starts a daemon where none runs. */
export async function findSession(
  context: CliContext,
  openAsker: () => Promise<Asker>,
  wanted: string | undefined,
): Promise<Pick<SessionView, 'id' | 'name'> | null> {
  if (wanted === undefined && isFirstTime(context))
    return asked(openAsker, (asker) => setUpSession(context, asker));
  const { daemon, attached } = await startDetached(context);
  const safe = safeModeNote(daemon, context.program);
  if (safe !== undefined) throw new CommandFailure(exit.failed, safe, null);
  if (!attached) await notice(context, 'Kairos was not running and has been started.');
  const what = wantedSession(await get(context, '/sessions', sessionsAnswerSchema), wanted);
  switch (what.kind) {
    case 'found':
      return what.session;
    case 'choose':
      return asked(openAsker, (asker) => chooseSession(asker, what.sessions, context.clock.now()));
    case 'set_up':
      return asked(openAsker, (asker) => setUpSession(context, asker));
    default:
      return assertNever(what, 'wish');
  }
}

/** Asks, and gives the terminal back whatever happens. */
async function asked<Value>(
  openAsker: () => Promise<Asker>,
  ask: (asker: Asker) => Promise<Value>,
): Promise<Value> {
  const asker = await openAsker();
  try {
    return await ask(asker);
  } finally {
    await asker.close();
  }
}
