import type { PermissionMode } from '../../../shared/domain/sessions.ts';

const prefix = 'mode:';
const planText = `This session is in plan mode: look around as much as you need, but change nothing; whatever would is refused. When you know what to do, present it with ExitPlanMode (through UseTool, input {"plan": "<Markdown>"}) and wait: the person's approval ends plan mode.`;

/** True for the digest of a note about the mode, not about instruction files. */
export function isModeNote(digest: string): boolean {
  return digest.startsWith(prefix);
}

/** What the model is to be told about the mode; `told`: the digest of the newest such note. null: it knows. */
export function modeNews(
  mode: PermissionMode | undefined,
  told: string | null,
): { readonly digest: string; readonly text: string } | null {
  const knowsPlan = told === `${prefix}plan`;
  if (mode === undefined || (mode === 'plan') === knowsPlan) return null;
  const text = mode === 'plan' ? planText : `Plan mode is over: the mode is ${mode} now.`;
  return { digest: `${prefix}${mode}`, text };
}
