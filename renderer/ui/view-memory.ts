/** Where a conversation is scrolled to: at its end (it follows), or a row and how far its top is below the pane's top, px. */
export type ScrollPlace =
  | { readonly kind: 'end' }
  | { readonly kind: 'row'; readonly seq: number; readonly offset: number };

/** Scroll places and folds, kept while the page lives, so that coming back to a session finds it as it was left. */
export interface ViewMemory {
  place(session: string): ScrollPlace;
  keepPlace(session: string, place: ScrollPlace): void;
  /** Whether a fold was opened or closed by hand; null when it was not touched. */
  fold(key: string): boolean | null;
  keepFold(key: string, isOpen: boolean): void;
}

export function createViewMemory(): ViewMemory {
  const places = new Map<string, ScrollPlace>();
  const folds = new Map<string, boolean>();
  return {
    place: (session) => places.get(session) ?? { kind: 'end' },
    keepPlace: (session, place) => void places.set(session, place),
    fold: (key) => folds.get(key) ?? null,
    keepFold: (key, isOpen) => void folds.set(key, isOpen),
  };
}
