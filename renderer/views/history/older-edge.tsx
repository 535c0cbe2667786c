import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';

/** Shorter loads are not worth a word, ms. */
const unnoticedMs = 300;

/** The upper edge of what is loaded: older pages on their way, or a button for them; nothing at the very beginning. `first`: seq of the first event that is loaded. */
export function OlderEdge({ session, first }: { session: string; first: number | null }): ReactNode {
  const text = useText();
  const { loadOlder } = useActs();
  const older = useWindow((state) => state.older[session] ?? null);
  const now = useNow(older?.kind === 'loading' ? unnoticedMs : null);
  if (first === null || first <= 1) return null;
  if (older?.kind === 'loading') {
    return (
      <p className="history-note older-edge">
        {now - older.since < unnoticedMs ? '\u00A0' : text.history.loading}
      </p>
    );
  }
  return (
    <div className="history-note older-edge">
      {older === null ? null : <p role="alert">{text.history.olderFailed}</p>}
      <Button look="quiet" onPress={() => loadOlder(session)}>
        {text.history.loadOlder}
      </Button>
    </div>
  );
}
