import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Clock } from '../../shared/base/ports.ts';
import type { Acts, Window } from '../store/create-window.ts';
import type { Kept } from '../store/kept.ts';
import type { WindowState } from '../store/window-state.ts';
import type { WindowText } from '../text/window-text.ts';
import type { ViewMemory } from './view-memory.ts';

interface Provided {
  readonly window: Window;
  readonly memory: ViewMemory;
  readonly text: WindowText;
}

const WindowContext = createContext<Provided | null>(null);

/** Gives everything below it the window and its language. */
export function WindowProvider(props: Provided & { readonly children: ReactNode }): ReactNode {
  const { window, memory, text, children } = props;
  const provided = useMemo(() => ({ window, memory, text }), [window, memory, text]);
  return <WindowContext value={provided}>{children}</WindowContext>;
}

function useProvided(): Provided {
  const provided = useContext(WindowContext);
  if (provided === null) throw new Error('A view needs a WindowProvider above it.');
  return provided;
}

/** A part of the window's state; the view is made again when it changes. */
export function useWindow<Part>(select: (state: WindowState) => Part): Part {
  return useStore(useProvided().window.store, select);
}

/** What the person can do. */
export function useActs(): Acts {
  return useProvided().window.acts;
}

/** The texts in the person's language. */
export function useText(): WindowText {
  return useProvided().text;
}

/** The window's clock. */
export function useWindowClock(): Clock {
  return useProvided().window.clock;
}

/** What is kept in this browser over reloads. */
export function useKept(): Kept {
  return useProvided().window.kept;
}

/** Scroll places and folds. */
export function useViewMemory(): ViewMemory {
  return useProvided().memory;
}

/** The store itself, for what reads the state when something happens and not to show it. */
export function useWindowStore(): Window['store'] {
  return useProvided().window.store;
}
