/** Runs asynchronous jobs one after the other in the order given; a failing job fails alone. */
export type Serial = <Result>(job: () => Promise<Result>) => Promise<Result>;

/** A queue of its own. */
export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const run = last.then(job);
    last = run.catch(() => undefined);
    return run;
  };
}
