import { errorMessage } from '../../../shared/base/errors.ts';
import type { Cancel, Clock, Log } from '../../../shared/base/ports.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import type { Store } from '../events/port.ts';
import type { CheckReport } from '../events/reader/job.ts';
import { damagedStoreCure } from '../events/sqlite/faults.ts';

/** What the care of the store works with; `check` looks through all of it, in another process. */
export interface UpkeepPorts {
  readonly store: Store;
  readonly problems: ProblemPort;
  readonly check: () => Promise<CheckReport>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a look did: blobs deleted and damage found; null where it was not yet time. */
export interface Cared {
  readonly deleted: number | null;
  readonly damage: CheckReport | null;
}

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;
/** Blobs without a reference are deleted weekly, when they are older than a day (design 23). */
const collectAgeMs = dayMs;
/** After the start, when people wait for nothing. */
const firstLookMs = 10 * 60 * 1000;
const collectedKey = 'blobs_collected_at';
/** Written by a check that found nothing: a damaged store is looked at again every day and after every start. */
const soundKey = 'store_sound_at';
const problemCode = 'store_damaged';

/** Weekly care of the store, by the wall clock: a daemon that is started every day does it as well as one that runs for months. */
export class Upkeep {
  readonly #ports: UpkeepPorts;
  #cancel: Cancel;
  #stopped = false;

  constructor(ports: UpkeepPorts) {
    this.#ports = ports;
    this.#cancel = this.#after(firstLookMs);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Does what a week has passed for since it was done last. */
  async look(): Promise<Cared> {
    return { deleted: await this.#collect(), damage: await this.#check() };
  }

  async #collect(): Promise<number | null> {
    const { store, log } = this.#ports;
    if (!(await this.#isDue(collectedKey))) return null;
    const deleted = await store.collectBlobs(collectAgeMs);
    await this.#note(collectedKey);
    log.info({ deleted }, 'blobs without a reference deleted');
    return deleted;
  }

  async #check(): Promise<CheckReport | null> {
    const { check, problems, log } = this.#ports;
    if (!(await this.#isDue(soundKey))) return null;
    const report = await check();
    const damage = damageText(report);
    if (damage === null) {
      await this.#note(soundKey);
      problems.clear(problemCode);
      log.info({}, 'the store was looked through: sound');
    } else {
      problems.set(
        problemCode,
        damage,
        `Save what you can (kairos export SESSION), then ${damagedStoreCure}`,
      );
      log.error({ ...report }, 'the store is damaged');
    }
    return report;
  }

  async #isDue(key: string): Promise<boolean> {
    const { store, clock } = this.#ports;
    const since = clock.now() - Number((await store.meta(key)) ?? 0);
    return since < 0 || since >= weekMs;
  }

  async #note(key: string): Promise<void> {
    const { store, clock } = this.#ports;
    await store.setMeta(key, String(clock.now()));
  }

  #after(ms: number): Cancel {
    return this.#ports.clock.after(ms, () => void this.#run(), { keepAlive: false });
  }

  async #run(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      const fields = { error: errorMessage(error) };
      if (!this.#stopped) this.#ports.log.error(fields, 'the store could not be cared for; again tomorrow');
    }
    if (!this.#stopped) this.#cancel = this.#after(dayMs);
  }
}

/** One sentence on what a check found, null when all is well. */
function damageText({ database, missingBlobs }: CheckReport): string | null {
  const [first] = database;
  if (first !== undefined) return `The store is damaged (${first.slice(0, 200)}).`;
  if (missingBlobs.length === 0) return null;
  const files = missingBlobs.length === 1 ? 'A stored file is' : `${missingBlobs.length} stored files are`;
  return `${files} missing from the blobs folder.`;
}
