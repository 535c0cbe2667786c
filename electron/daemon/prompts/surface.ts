import type { PromptKind, PromptView, VerdictScope } from '../../../shared/domain/prompts.ts';

/** What a place where people decide can show and prove (design 26). */
export interface SurfaceTraits {
  readonly kinds: readonly PromptKind[];
  /** Characters of the preview it can show whole; null = any length. */
  readonly maxShown: number | null;
  /** It knows which person answered, not only that somebody did. */
  readonly provesSender: boolean;
  readonly scopes: readonly VerdictScope[];
}

/** The text a surface shows. `whole` false: an allow there does not count. */
export interface Showing {
  readonly prompt: PromptView;
  readonly text: string;
  readonly whole: boolean;
}

/** A place where people decide. Rejections of `offer` and `settled` are tried again when it registers anew. */
export interface Surface {
  readonly id: string;
  readonly traits: SurfaceTraits;
  /** Resolves once it is shown; `shown` = characters of the preview that are visible. */
  offer(showing: Showing): Promise<{ shown: number; externalId: string | null }>;
  /** The prompt ended somewhere: close the showing, say who answered. */
  settled(prompt: PromptView): Promise<void>;
}
