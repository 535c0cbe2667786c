import { type ReactNode, useEffect, useRef, useState } from 'react';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { WindowState } from '../../store/window-state.ts';
import { openSessionId } from '../../store/window-state.ts';
import { useText, useWindow } from '../../ui/window-context.tsx';

const longest = 300;

/** The one live region: says what newly asks and what was answered in the open session; never drafts (ux.md 7.18). */
export function Announcer(): ReactNode {
  const text = useText();
  const [said, setSaid] = useState('');
  const prompt = useWindow(newestPrompt);
  const message = useWindow(newestMessage);
  const session = useWindow(openSessionId);
  useNews(prompt?.id ?? null, 'window', () => setSaid(text.prompt.announced(prompt?.headline ?? '')));
  useNews(message?.seq ?? null, session, () => setSaid(oneLine(message?.text ?? '', longest)));
  return (
    <p className="hidden-text" role="status" aria-live="polite">
      {said}
    </p>
  );
}

function newestPrompt({ home }: WindowState) {
  return home?.prompts.at(-1) ?? null;
}

function newestMessage(state: WindowState) {
  const id = openSessionId(state);
  const item =
    id === null ? undefined : state.pages[id]?.items.findLast(({ kind }) => kind === 'message_out');
  return item?.kind === 'message_out' ? item : null;
}

/** Calls `tell` when `key` rises within the same `place`; what was there when the place was entered is no news. */
function useNews(key: string | number | null, place: string | null, tell: () => void): void {
  const known = useRef({ key, place });
  useEffect(() => {
    const before = known.current;
    known.current = { key, place };
    const isNews = key !== null && before.place === place && before.key !== null && key > before.key;
    if (isNews || (key !== null && before.place === place && before.key === null && place === 'window'))
      tell();
  });
}
