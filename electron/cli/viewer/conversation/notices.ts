import { endingOf, whoOf } from '../../../../shared/viewing/prompt-ending.ts';
import { pageOf, type ViewerState } from '../follow/viewer-state.ts';
import { foreignSpan, type Line, span, type Style } from '../text/line.ts';
import { endings, whoText } from './words.ts';

/** What is said once, until the next key: who answered elsewhere, what was copied. */
export class Notices {
  #open: ReadonlySet<string> | null = null;
  #line: Line | null = null;

  say(text: string, style: Style): void {
    this.#line = [span(text, style)];
  }

  clear(): void {
    this.#line = null;
  }

  /** Notices prompts that were open before and are not now. */
  look(state: ViewerState): void {
    const prompts = pageOf(state)?.prompts ?? [];
    const known = this.#open ?? new Set<string>();
    for (const prompt of prompts) {
      if (!known.has(prompt.id) || prompt.state === 'open') continue;
      const ending = endingOf(prompt);
      const who = prompt.by === null ? null : whoOf(prompt.by, state.device);
      if (ending === null || who?.kind === 'you') continue;
      const by = who === null ? '' : ` by ${whoText(who)}`;
      this.#line = [foreignSpan(`${prompt.headline}: ${endings[ending]}${by}`, 'asking')];
    }
    this.#open = new Set(prompts.filter((prompt) => prompt.state === 'open').map(({ id }) => id));
  }

  line(): Line | null {
    return this.#line;
  }
}
