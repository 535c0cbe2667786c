import type { CellWindow, NotebookPart } from './notebook-cells.ts';
import type { Pages, PdfText } from './pdf-text.ts';

/** Bytes from somewhere else and what is to be made of them, or names and the pattern that they are held against. */
export type ParseJob =
  | { readonly kind: 'markdown' | 'plain'; readonly body: Uint8Array; readonly type: string }
  | { readonly kind: 'pdf'; readonly body: Uint8Array; readonly pages: Pages }
  | { readonly kind: 'notebook'; readonly body: Uint8Array; readonly window: CellWindow }
  | { readonly kind: 'glob'; readonly names: readonly string[]; readonly pattern: string };

/** What a job gives; null: the bytes are no notebook. */
export interface ParseAnswers {
  readonly markdown: string;
  readonly plain: string;
  readonly pdf: PdfText;
  readonly notebook: NotebookPart | null;
  /** Numbers of the names that match. */
  readonly glob: readonly number[];
}

/** How a job ended. `failed`: the bytes or the parser are at fault, in the parser's words. */
export type ParseEnd<Answer> =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'late' | 'memory' | 'interrupted' }
  | { readonly kind: 'failed'; readonly reason: string };
