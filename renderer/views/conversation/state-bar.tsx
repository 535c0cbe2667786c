import type { ReactNode } from 'react';
import { may } from '../../store/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { useSession } from './use-session.ts';

/** Why a session does not go on by itself, and the button that helps: stopped, paused, or waiting for its turn. */
export function StateBar({ session: id }: { session: string }): ReactNode {
  const text = useText();
  const session = useSession(id);
  const isAllPaused = useWindow(({ home }) => home?.paused ?? false);
  const running = useWindow(
    ({ home }) => home?.sessions.filter(({ state }) => state === 'working').length ?? 0,
  );
  const isOwner = useWindow((state) => may(state, 'owner'));
  const { retry, resume, pauseAll } = useActs();
  if (session === null) return null;
  if (session.parked !== null) {
    return (
      <Bar look="danger" words={text.states.parked(sentence(session.parked.reason))}>
        {isOwner ? <Button onPress={() => retry(id)}>{text.states.retry}</Button> : null}
      </Bar>
    );
  }
  if (session.paused || isAllPaused) {
    const goOn = (): void => (session.paused ? resume(id) : pauseAll(false));
    return (
      <Bar look="plain" words={text.states.paused}>
        {isOwner ? <Button onPress={goOn}>{text.states.resume}</Button> : null}
      </Bar>
    );
  }
  return session.state === 'queued' ? <Bar look="plain" words={text.states.queued(running)} /> : null;
}

function Bar(props: { look: 'plain' | 'danger'; words: string; children?: ReactNode }): ReactNode {
  const { look, words, children } = props;
  return (
    <div className={`bar is-${look}`}>
      <Icon name={look === 'danger' ? 'parked' : 'paused'} tone={look === 'danger' ? 'danger' : 'muted'} />
      <p>{words}</p>
      {children}
    </div>
  );
}

/** The reason with a full stop, so that the next sentence can follow. */
function sentence(reason: string): string {
  return /[.!?。！？]$/.test(reason) ? reason : `${reason}.`;
}
