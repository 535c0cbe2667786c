import type { StopSignal } from '../../../shared/base/ports.ts';

/** Fires as soon as one of the signals does. */
export function anySignal(...signals: readonly StopSignal[]): StopSignal {
  return {
    get aborted() {
      return signals.some((signal) => signal.aborted);
    },
    addEventListener: (type, listener) => {
      for (const signal of signals) signal.addEventListener(type, listener);
    },
    removeEventListener: (type, listener) => {
      for (const signal of signals) signal.removeEventListener(type, listener);
    },
  };
}
