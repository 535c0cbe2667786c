import type { PromptView } from '../domain/prompts.ts';
import type { Followed } from './apply-frame.ts';

/**
 * What a session asks now, oldest first. Its own topic knows best; what only `home` knows yet is shown too, because no surface
 * may hold a prompt it does not show.
 */
export function openPrompts(
  { pages, home }: Pick<Followed, 'pages' | 'home'>,
  session: string,
): readonly PromptView[] {
  const own = pages[session]?.prompts ?? [];
  const known = new Set(own.map(({ id }) => id));
  const listed = (home?.prompts ?? []).filter(
    (prompt) => prompt.session === session && !known.has(prompt.id),
  );
  return [...own, ...listed]
    .filter(({ state }) => state === 'open')
    .sort((left, right) => left.createdAt - right.createdAt);
}
