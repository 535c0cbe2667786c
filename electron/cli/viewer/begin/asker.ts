import type { Line } from '../text/line.ts';

/** One thing that can be chosen. */
export interface Offer {
  readonly words: string;
  /** More about it, muted. */
  readonly detail?: string;
  /** All about it, shown while it is selected; in plain lines beside it. */
  readonly more?: string;
  /** It allows something: only after all of the text was in sight, and never by a key that is held. */
  readonly isGuarded?: boolean;
}

/** A choice between offers; the first one is what Enter takes. */
export interface Choice {
  readonly title: string;
  /** What it is about, laid out for a width. */
  body(columns: number): readonly Line[];
  readonly offers: readonly Offer[];
}

/** A line of text to be typed. */
export interface TextQuestion {
  readonly title: string;
  body(columns: number): readonly Line[];
  readonly initial: string;
}

/** Asks a person before a session is followed. Null means: cancelled, nothing was changed. */
export interface Asker {
  choose(choice: Choice): Promise<number | null>;
  text(question: TextQuestion): Promise<string | null>;
  /** Says what takes a moment. */
  tell(words: string): void;
  /** Gives the terminal back. */
  close(): Promise<void>;
}

/** A body without anything in it. */
export const noBody = (): readonly Line[] => [];
