import type { ProblemPort } from '../../../shared/domain/problems.ts';

/** Problems that can also be looked through. */
interface Problems extends ProblemPort {
  all(): readonly { readonly code: string }[];
}

/** Says what of the settings file could not be taken, each time anew; `told` then holds its path, so that nobody else says it too. */
export function settingsTeller(
  problems: Problems,
  path: string,
  told: Set<string>,
): (notices: readonly string[]) => void {
  return (notices) => {
    for (const [index, notice] of notices.entries())
      problems.set(`settings:${index}`, notice, 'Correct settings.json, then: kairos daemon restart');
    for (const { code } of problems.all())
      if (/^settings:\d/.test(code) && Number(code.slice(9)) >= notices.length) problems.clear(code);
    if (notices.length > 0) told.add(path);
    else told.delete(path);
  };
}
