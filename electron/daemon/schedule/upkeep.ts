import { errorMessage } from '../../../shared/base/errors.ts';
import type { Cancel, Clock, Log } from '../../../shared/base/ports.ts';
import type { Store } from '../events/port.ts';

export interface UpkeepPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Blobs without a reference are deleted weekly, when they are older than a day (design 23). */
const collectEveryMs = 7 * dayMs;
const collectAgeMs = dayMs;
/** After the start, when people wait for nothing. */
const firstLookMs = 10 * 60 * 1000;
const lastRunKey = 'blobs_collected_at';

/** Weekly care of the store, by the wall clock: a daemon that is started every day does it as well as one that runs for months. */
export class Upkeep {
  readonly #ports: UpkeepPorts;
  #cancel: Cancel;

  constructor(ports: UpkeepPorts) {
    this.#ports = ports;
    this.#cancel = this.#after(firstLookMs);
  }

  stop(): void {
    this.#cancel();
  }

  /** Collects when a week has passed since the last time; resolves with the number of blobs deleted, null when not due. */
  async look(): Promise<number | null> {
    const { store, clock, log } = this.#ports;
    const last = Number((await store.meta(lastRunKey)) ?? 0);
    const since = clock.now() - last;
    if (since >= 0 && since < collectEveryMs) return null;
    const deleted = await store.collectBlobs(collectAgeMs);
    await store.setMeta(lastRunKey, String(clock.now()));
    log.info({ deleted }, 'blobs without a reference deleted');
    return deleted;
  }

  #after(ms: number): Cancel {
    return this.#ports.clock.after(ms, () => void this.#run(), { keepAlive: false });
  }

  async #run(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#ports.log.error(
        { error: errorMessage(error) },
        'blobs could not be collected; tried again tomorrow',
      );
    }
    this.#cancel = this.#after(dayMs);
  }
}
