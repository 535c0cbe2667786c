import type { Line } from '../text/line.ts';
import type { Key } from './key.ts';

/** A whole picture of the terminal: as many rows as it has, and where the caret stands (null: nowhere). */
export interface Frame {
  readonly rows: readonly Line[];
  readonly caret: { readonly x: number; readonly y: number } | null;
}

/** Size of the terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Something that fills the terminal: it draws itself for a size, takes keys, and tells when it looks different. */
export interface Picture {
  frame(size: Size): Frame;
  key(key: Key): void;
  subscribe(listener: () => void): () => void;
}

/** The rows cut or filled up with empty ones to the height of the terminal. */
export function filled(rows: readonly Line[], height: number): Line[] {
  return Array.from({ length: height }, (_, index) => rows[index] ?? []);
}
