import * as z from 'zod/mini';
import { assertNever } from '../base/assert-never.ts';

/** What an effect is; all share one journal. */
export const effectKindSchema = z.enum(['call', 'delivery', 'notification', 'webhook']);
export type EffectKind = z.infer<typeof effectKindSchema>;

/**
 * What can be known after a crash. `pure`: no effect, may be repeated. `local`: effect and result are one commit.
 * `keyed`: the platform drops a repeated key. `readback`: can be looked up afterwards. `blind`: neither.
 */
export const effectClassSchema = z.enum(['pure', 'local', 'keyed', 'readback', 'blind']);
export type EffectClass = z.infer<typeof effectClassSchema>;

/** How far an effect is: `planned` (stored), `granted` (may run), `started` (may have happened), then one of three ends. */
export const effectStateSchema = z.enum(['planned', 'granted', 'started', 'done', 'failed', 'uncertain']);
export type EffectState = z.infer<typeof effectStateSchema>;

/** What to do at boot or after a crash with an effect found in a state. */
export type Recovery = 'run' | 'retry' | 'query' | 'uncertain' | 'none';

/** The one recovery table: class x state. `run` starts it for the first time; `retry` repeats it under the same key; `query` looks it up first. */
export function recover(effectClass: EffectClass, state: EffectState): Recovery {
  switch (state) {
    case 'planned':
    case 'granted':
      return 'run';
    case 'started':
      return recoverStarted(effectClass);
    case 'done':
    case 'failed':
    case 'uncertain':
      return 'none';
    default:
      return assertNever(state, 'effect state');
  }
}

function recoverStarted(effectClass: EffectClass): Recovery {
  switch (effectClass) {
    case 'pure':
    case 'local':
    case 'keyed':
      return 'retry';
    case 'readback':
      return 'query';
    case 'blind':
      return 'uncertain';
    default:
      return assertNever(effectClass, 'effect class');
  }
}
