/** Holds an answer until the test lets it go on; no clock involved. */
export interface Gate {
  /** Resolves when one pass is free, or at once when the gate is open. For the stand-in's side. */
  pass(): Promise<void>;
  /** Lets `count` passes through (1), also ones that come later. */
  step(count?: number): void;
  /** Lets everything through from now on. */
  open(): void;
  /** Resolves when the stand-in has arrived at the gate at least `times` (1), counted from its creation. */
  reached(times?: number): Promise<void>;
}

/** A closed gate. */
export function createGate(): Gate {
  let free = 0;
  let arrivals = 0;
  const waiting: (() => void)[] = [];
  let watchers: { readonly times: number; readonly resolve: () => void }[] = [];
  const release = (): void => {
    while (free > 0 && waiting.length > 0) {
      free -= 1;
      waiting.shift()?.();
    }
  };
  return {
    pass: () =>
      new Promise((resolve) => {
        arrivals += 1;
        waiting.push(resolve);
        for (const { times, resolve: told } of watchers) if (arrivals >= times) told();
        watchers = watchers.filter(({ times }) => arrivals < times);
        release();
      }),
    step: (count = 1) => {
      free += count;
      release();
    },
    open: () => {
      free = Number.POSITIVE_INFINITY;
      release();
    },
    reached: (times = 1) =>
      new Promise((resolve) => {
        if (arrivals >= times) resolve();
        else watchers.push({ times, resolve });
      }),
  };
}
