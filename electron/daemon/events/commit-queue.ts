import { KairosError, errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import type { Boundary } from '../../../shared/domain/boundaries.ts';
import { type CommitVerb, commitPoints } from './commit-points.ts';
import type { CommitNotice } from './port.ts';
import type { Transaction } from './rows/table.ts';
import { Tx, type TxSetting, type VerbChanges } from './verbs/tx.ts';

/** A domain verb: works on its transaction and gives its answer; throws having to be undone. */
export type Verb<Answer> = (tx: Tx) => Answer;

/** What a commit queue stands on. */
export interface CommitQueueOptions extends TxSetting {
  readonly transaction: Transaction;
  readonly clock: Clock;
  readonly log: Log | undefined;
  /** Runs `flush` soon; default: at the end of this event-loop turn. */
  readonly schedule: (flush: () => void) => void;
  readonly boundary: (name: Boundary, side: 'before' | 'after') => void;
  /** The fault for people when the storage itself failed; null for anything else. */
  readonly storageFault: (error: unknown) => KairosError | null;
  /** Called after each commit. */
  readonly committed: () => void;
}

interface Waiting {
  readonly name: CommitVerb;
  readonly verb: Verb<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (fault: unknown) => void;
}
interface Done {
  readonly waiting: Waiting;
  readonly changes: VerbChanges;
  readonly answer: unknown;
}

/** A burst is cut here, so that the loop gets its turn: at most so many verbs or ms in one transaction. */
const mostVerbs = 256;
const longestBatchMs = 4;

/** Faults that leave no doubt that nothing of the whole transaction can be kept. */
const fatalToBatch = new Set(['disk_full', 'busy', 'not_writable', 'closed']);

/**
 * Group commit: verbs called in one event-loop turn run in one transaction, in order. A verb that throws is undone alone; when
 * the commit fails all of them are rejected and nothing was changed. Promises resolve after the commit, then the listeners hear.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  readonly #listeners = new Set<(notice: CommitNotice) => void>();
  #waiting: Waiting[] = [];
  #scheduled = false;
  #state: 'open' | 'closing' | 'crashed' = 'open';
  #idle: (() => void)[] = [];
  /** The storage refused the last commit for want of space. */
  full = false;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /** Runs the verb in the next transaction. */
  run<Answer>(name: CommitVerb, verb: Verb<Answer>): Promise<Answer> {
    if (this.#state === 'closing') return Promise.reject(closedFault());
    return new Promise<Answer>((resolve, reject) => {
      if (this.#state === 'crashed') return;
      this.#waiting.push({ name, verb, resolve: resolve as (answer: unknown) => void, reject });
      this.#plan();
    });
  }

  /** Throws `closed` once the store takes no more verbs. */
  requireOpen(): void {
    if (this.#state === 'closing') throw closedFault();
  }

  onCommit(listener: (notice: CommitNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes no more verbs; resolves when those that wait are stored. */
  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    if (this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** True after `crash`. */
  get crashed(): boolean {
    return this.#state === 'crashed';
  }

  /** As if the process had died: what waits is lost and never answered. */
  crash(): void {
    this.#state = 'crashed';
    this.#waiting = [];
    this.#listeners.clear();
  }

  #plan(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#options.schedule(() => {
      this.#scheduled = false;
      this.#flush();
      if (this.#waiting.length > 0) this.#plan();
      else for (const resolve of this.#idle.splice(0)) resolve();
    });
  }

  #flush(): void {
    const batch = this.#waiting.splice(0, mostVerbs);
    if (batch.length === 0) return;
    let done: Done[];
    try {
      done = this.#commit(batch);
    } catch (error) {
      if (this.crashed) return;
      this.#fail(batch, error);
      return;
    }
    if (this.crashed) return;
    this.full = false;
    for (const { waiting, answer } of done) waiting.resolve(answer);
    this.#announce(done);
    this.#options.committed();
  }

  #commit(batch: Waiting[]): Done[] {
    const { transaction, boundary } = this.#options;
    transaction.begin();
    const done = this.#runAll(batch);
    const passed = passedBoundaries(done);
    for (const name of passed) boundary(name, 'before');
    if (this.crashed) {
      transaction.rollback();
      return [];
    }
    transaction.commit();
    for (const name of passed) boundary(name, 'after');
    return done;
  }

  #runAll(batch: Waiting[]): Done[] {
    const { clock } = this.#options;
    const until = clock.monotonic() + longestBatchMs;
    const done: Done[] = [];
    for (const [index, waiting] of batch.entries()) {
      if (index > 0 && clock.monotonic() > until) {
        this.#waiting.unshift(...batch.splice(index));
        break;
      }
      const result = this.#runOne(waiting);
      if (result) done.push(result);
    }
    return done;
  }

  #runOne(waiting: Waiting): Done | null {
    const { transaction } = this.#options;
    transaction.mark();
    const tx = new Tx(this.#options, this.#options.clock.now());
    try {
      const answer = waiting.verb(tx);
      const changes = tx.finish();
      transaction.release();
      return { waiting, answer, changes };
    } catch (error) {
      const fault = this.#options.storageFault(error) ?? error;
      if (fatalToBatch.has(errorCode(fault))) throw error;
      transaction.rollbackTo();
      waiting.reject(fault);
      return null;
    }
  }

  #fail(batch: readonly Waiting[], error: unknown): void {
    const { transaction, storageFault, log } = this.#options;
    const fault = storageFault(error) ?? error;
    this.full = errorCode(fault) === 'disk_full';
    log?.error({ code: errorCode(fault), verbs: batch.length }, errorMessage(fault));
    try {
      transaction.rollback();
    } catch (cause) {
      log?.error({ code: errorCode(cause) }, `A transaction could not be undone: ${errorMessage(cause)}`);
    }
    for (const { reject } of batch) reject(fault);
  }

  #announce(done: readonly Done[]): void {
    const notice = toNotice(done.map(({ changes }) => changes));
    if (!notice) return;
    for (const listener of this.#listeners) {
      try {
        listener(notice);
      } catch (error) {
        this.#options.log?.error(
          { code: errorCode(error) },
          `A commit listener failed: ${errorMessage(error)}`,
        );
      }
    }
  }
}

function closedFault(): KairosError {
  return new KairosError('closed', 'The store is closed.');
}

/** The crash points of a batch, each once, in the order in which its verbs reach them. */
function passedBoundaries(done: readonly Done[]): ReadonlySet<Boundary> {
  const passed = new Set<Boundary>();
  for (const { waiting, changes } of done) {
    const own = commitPoints[waiting.name];
    if (own !== null) passed.add(own);
    for (const name of changes.boundaries) passed.add(name);
  }
  return passed;
}

function toNotice(changes: readonly VerbChanges[]): CommitNotice | null {
  const notice: CommitNotice = {
    events: changes.flatMap(({ events }) => events),
    sessions: new Set(changes.flatMap(({ sessions }) => [...sessions])),
    prompts: new Set(changes.flatMap(({ prompts }) => [...prompts])),
    work: changes.some(({ work }) => work),
    meta: changes.some(({ meta }) => meta),
  };
  const silent = notice.sessions.size === 0 && notice.prompts.size === 0 && !notice.work && !notice.meta;
  return silent ? null : notice;
}
