import type { SessionView } from '../../../shared/protocol/bridge.ts';
import { useWindow } from '../../ui/window-context.tsx';

/** A session as its own topic knows it, else as the list does; null when it is in neither. */
export function useSession(id: string): SessionView | null {
  return useWindow(
    ({ pages, home }) => pages[id]?.session ?? home?.sessions.find((one) => one.id === id) ?? null,
  );
}
