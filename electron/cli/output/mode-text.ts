import { permissionModeSchema, type PermissionMode } from '../../../shared/domain/sessions.ts';

/** What a session does unasked in each mode, in words that go on after "mode X: ". */
export const modeMeanings: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before commands, changes and the network unless a rule allows them',
  acceptEdits: 'changes files of its directory unasked; commands and the network ask as usual',
  plan: 'only looks, and changes nothing until you approve its plan',
  dontAsk: 'asks nobody: what would ask is denied',
  bypassPermissions: 'runs everything unasked, but where a rule or what is protected demands a question',
};

/** A line per mode, for the help. */
export const modeNotes: readonly string[] = permissionModeSchema.options.map(
  (mode) => `${mode.padEnd(17)}  ${modeMeanings[mode]}`,
);

/** The mode as lists show it: the usual one is no news, one that asks for hardly anything is marked. */
export function modeMark(mode: PermissionMode): string {
  if (mode === 'default') return '';
  return mode === 'bypassPermissions' ? `! ${mode}` : mode;
}

/** What a change of mode means from now on; `session` as it is typed. A mode that asks for hardly anything says the way back. */
export function modeChangeText(session: string, mode: PermissionMode, program: string): string {
  if (mode !== 'bypassPermissions') return `It ${modeMeanings[mode]}.`;
  return [
    'From now on commands, changes to files everywhere and the network run without a question;',
    'only a rule that asks or denies, a hook and what is protected still hold it back.',
    `The way back: ${program} mode ${session} default`,
  ].join(' ');
}
