import type { Draft, DraftKind } from './session-view-schema.ts';

/** A piece of a reply that is being made; `offset` = characters of this part sent before. */
export interface DraftFrame {
  readonly step: string;
  readonly part: number;
  readonly kind: DraftKind;
  readonly offset: number;
  readonly text: string;
}

/** The draft with a piece added, or `gap`: pieces were lost, only a new snapshot helps. */
export type DraftChange = { readonly kind: 'draft'; readonly draft: Draft } | { readonly kind: 'gap' };

/**
 * Adds a piece. Offset 0 begins its part anew (and part 0 the whole draft), which is also how a daemon repeats a draft after
 * dropping pieces. A piece that overlaps what is known adds only what is new.
 */
export function addDraftPiece(draft: Draft | null, piece: DraftFrame): DraftChange {
  const parts = draft?.step === piece.step ? draft.parts : [];
  if (piece.part > parts.length) return { kind: 'gap' };
  const known = parts[piece.part];
  const begun = { kind: piece.kind, text: piece.text };
  if (piece.offset === 0) {
    return { kind: 'draft', draft: { step: piece.step, parts: [...parts.slice(0, piece.part), begun] } };
  }
  if (known === undefined || piece.offset > known.text.length) return { kind: 'gap' };
  const text = known.text.slice(0, piece.offset) + piece.text;
  const next = text.length > known.text.length ? { kind: known.kind, text } : known;
  return { kind: 'draft', draft: { step: piece.step, parts: parts.with(piece.part, next) } };
}
