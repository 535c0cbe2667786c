import { useEffect, type KeyboardEvent as ReactKeyboardEvent } from 'react';
import { isComposingKey } from './composing.ts';

/** A key handler; true says that it took the key, which then does nothing else. */
export type KeyHandler = (event: KeyboardEvent) => boolean;

/** Handles keys of the whole window that no input method has. */
export function useWindowKeys(handler: KeyHandler): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isComposingKey(event) && handler(event)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [handler]);
}

/** The same for one element: `onKeyDown={keysOf(...)}`. */
export function keysOf(handler: KeyHandler): (event: ReactKeyboardEvent) => void {
  return ({ nativeEvent }) => {
    if (isComposingKey(nativeEvent) || !handler(nativeEvent)) return;
    nativeEvent.preventDefault();
    nativeEvent.stopPropagation();
  };
}

/** Ctrl, or Command on a Mac; not both, and no Alt. */
export function isMod({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey !== metaKey && !altKey;
}
