import type { PromptView } from '../../../../shared/domain/prompts.ts';

/** Characters of a preview that travel in a frame; the whole one is `GET prompts/:id`. */
const framePreviewChars = 16 * 1024;
const descriptionChars = 2 * 1024;

/** The prompt as frames carry it: a preview that is too long is cut and says so, which forbids allowing (design 27). */
export function promptForFrame(prompt: PromptView): PromptView {
  const description = prompt.description.slice(0, descriptionChars);
  if (prompt.preview.length <= framePreviewChars) return { ...prompt, description };
  return { ...prompt, description, preview: prompt.preview.slice(0, framePreviewChars), previewCut: true };
}
