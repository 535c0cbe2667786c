/*
 * What people read while a model is asked again later. It travels as a session's activity; no tool's activity begins like it,
 * because names of tools have no spaces.
 */

/** `The model's server is overloaded (529)` and when it is asked again, as an activity; `what` says what the server did. */
export function modelWaitText(what: string, ms: number): string {
  return `the model's server ${what}, trying again in ${Math.max(1, Math.ceil(ms / 1000))} s`;
}

/** Whether an activity says that a model is asked again later. */
export function isModelWait(doing: string | null): doing is string {
  return doing !== null && /^the model's server .*, trying again in \d+ s$/.test(doing);
}
