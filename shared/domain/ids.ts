/** Prefix per kind of id, given to `Ids.next`: `ses_01J...`. Ids travel as plain strings; why, says shared/README.md. */
export const idPrefix = {
  session: 'ses',
  wake: 'wak',
  message: 'msg',
  turn: 'trn',
  step: 'stp',
  call: 'cal',
  side: 'sid',
  effect: 'eff',
  prompt: 'pmt',
  device: 'dev',
  rule: 'rul',
  task: 'tsk',
  lease: 'lse',
} as const;
