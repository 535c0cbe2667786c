import type { PromptKind, PromptView } from '../../../shared/domain/prompts.ts';
import type { Showing, SurfaceTraits } from './surface.ts';

/** True for a surface that is asked about this kind; trust (design 32) is the owner's alone, who decides where rules can be kept. */
export function isAskedFor(kind: PromptKind, { kinds, scopes }: SurfaceTraits): boolean {
  return kinds.includes(kind) && (kind !== 'trust' || scopes.includes('always'));
}

/** The preview as a surface can show it: whole when it fits, else head, tail and a word that it is cut. */
export function showingFor(prompt: PromptView, traits: SurfaceTraits, digest: string): Showing {
  const { maxShown } = traits;
  const { preview } = prompt;
  if (maxShown === null || preview.length <= maxShown) return { prompt, text: preview, whole: true };
  const note = ` … [cut, ${preview.length} characters, ${digest.slice(0, 8)}] … `;
  const room = Math.max(0, maxShown - note.length);
  const head = preview.slice(0, Math.ceil(room * 0.7));
  const tail = preview.slice(preview.length - Math.floor(room * 0.3));
  return { prompt, text: `${head}${note}${tail}`.slice(0, maxShown), whole: false };
}
