import { useCallback } from 'react';
import { neighbour } from '../../store/session-order.ts';
import { openSessionId, type WindowState } from '../../store/window-state.ts';
import { isMod, useWindowKeys } from '../../ui/use-keys.ts';
import { useActs, useWindow, useWindowStore } from '../../ui/window-context.tsx';
import { may } from '../../store/window-state.ts';
import { focusNextStop } from './stops.ts';

/** Keys of the whole window (ux.md section 4). */
export function useShellKeys(): void {
  const acts = useActs();
  const store = useWindowStore();
  const isHelpOpen = useWindow((state) => state.isHelpOpen);
  const handle = useCallback(
    (event: KeyboardEvent): boolean => {
      if (event.key === 'F6') return focusNextStop(document, event.shiftKey ? -1 : 1);
      if (isMod(event) && (event.key === '/' || event.code === 'Slash')) {
        acts.setHelpOpen(!isHelpOpen);
        return true;
      }
      const state = store.getState();
      if (isMod(event) && event.key.toLowerCase() === 'k' && !event.shiftKey) {
        acts.setPaletteOpen(!state.isPaletteOpen);
        return true;
      }
      if (isMod(event) && event.key.toLowerCase() === 'f') {
        const here = event.shiftKey ? null : openSessionId(state);
        acts.show({ kind: 'search', session: here, words: '' });
        return true;
      }
      if (isMod(event) && event.key === '.') return stopOpen(state, acts.stop);
      const next = sessionStep(state, event);
      if (next === null) return false;
      acts.show({ kind: 'session', id: next });
      return true;
    },
    [acts, store, isHelpOpen],
  );
  useWindowKeys(handle);
}

function stopOpen(state: WindowState, stop: (session: string) => void): boolean {
  const session = openSessionId(state);
  if (session === null || !may(state, 'owner')) return false;
  stop(session);
  return true;
}

function sessionStep(state: WindowState, event: KeyboardEvent): string | null {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
  const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null;
  if (step === null || !altKey || ctrlKey || metaKey) return null;
  return neighbour(state.home?.sessions ?? [], openSessionId(state), step, shiftKey);
}
