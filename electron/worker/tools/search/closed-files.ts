import { hiddenFiles } from '../../../../shared/domain/permissions/path-patterns.ts';
import { pathPlatform } from '../../../node/person-place.ts';
import { HomeLinks } from '../home-links.ts';
import type { ToolContext } from '../tool.ts';

/** Files that a search finds and does not show: other names of files of Kairos's home, and what rules keep closed. */
export class ClosedFiles {
  readonly #links: HomeLinks;
  readonly #hidden: (path: string) => boolean;
  #last = { path: '', isClosed: false };
  /** Some file was left out because of a rule. */
  byRule = false;

  constructor({ home, hidden = [] }: Pick<ToolContext, 'home' | 'hidden'>) {
    this.#links = new HomeLinks(home);
    this.#hidden = hiddenFiles(hidden, pathPlatform());
  }

  /** For an absolute path; cheap when the same one is asked about again. */
  has(path: string): boolean {
    if (this.#last.path !== path) this.#last = { path, isClosed: this.#isClosed(path) };
    return this.#last.isClosed;
  }

  #isClosed(path: string): boolean {
    if (this.#hidden(path)) {
      this.byRule = true;
      return true;
    }
    return this.#links.behind(path) !== null;
  }

  /** Remarks for the model beside what was found. */
  get notes(): readonly string[] {
    return this.byRule ? ['files that permission rules keep closed are left out'] : [];
  }
}
