import { type ReactNode, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useText, useWindow } from '../../ui/window-context.tsx';
import { endingOf, whoOf } from '../../../shared/viewing/prompt-ending.ts';

/** Says who answered a prompt that stood here and was answered elsewhere, expired or was withdrawn; stays until dismissed. */
export function AnsweredNote({ session, shown }: { session: string; shown: string | null }): ReactNode {
  const text = useText();
  const device = useWindow((state) => state.device);
  const [watched, setWatched] = useState<string | null>(shown);
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (shown !== null && shown !== watched) setWatched(shown);
  const prompt = useWindow(({ pages }) => pages[session]?.prompts.find(({ id }) => id === watched) ?? null);
  const ending = prompt === null || prompt.id === dismissed ? null : endingOf(prompt);
  if (prompt === null || ending === null) return null;
  const who = prompt.by === null ? null : whoOf(prompt.by, device);
  if (who?.kind === 'you') return null;
  return (
    <div className="bar is-asking answered-note">
      <Icon name={ending === 'deny' || ending === 'expired' ? 'cross' : 'check'} />
      <p>
        {text.prompt.decided(
          prompt.headline,
          who === null ? null : text.prompt.who(who),
          text.prompt.ended(ending),
        )}
      </p>
      <IconButton icon="cross" label={text.prompt.dismiss} onPress={() => setDismissed(prompt.id)} />
    </div>
  );
}
