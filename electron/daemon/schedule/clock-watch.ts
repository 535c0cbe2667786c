import * as z from 'zod/mini';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import type { Store } from '../events/port.ts';
import { clockSettingKey } from '../events/verbs/shift-durations.ts';

/** What watching the wall clock needs. */
export interface ClockWatchPorts {
  readonly store: Pick<Store, 'meta' | 'setMeta' | 'shiftDurations'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this boot of the machine; absent or null: not known, then a restart cannot tell whether the clock was set. */
  readonly boot?: string | null;
}

/** The wall clock and the time since boot part by more than this only when the clock is set (ms). */
const jumpMs = 1_000;
/** The same over a restart: what is stored may be a second of drift and a second of rounding off. */
const restartJumpMs = 3_000;

/** Wall clock minus time since boot, which changes only when the clock is set, and when (monotonic ms) it was looked at. */
interface Setting {
  readonly offset: number;
  readonly at: number;
}

const storedSchema = z.object({ boot: z.string(), offset: z.number() });

/**
 * Makes good that the wall clock was set, while the daemon runs or while it was stopped: what was meant as a duration is neither
 * due nor put off because of it.
 */
export class ClockWatch {
  readonly #ports: ClockWatchPorts;
  #setting: Setting | null;
  /** The offset that is stored for this boot. */
  #noted: number | null = null;

  constructor(ports: ClockWatchPorts) {
    this.#ports = ports;
    this.#setting = this.#look();
  }

  /** At the start, before anything is decided by the wall clock. Rejects with `disk_full` only. */
  async start(): Promise<void> {
    const now = this.#look();
    if (now === null || this.#text(now) === null) return;
    try {
      const setBy = await this.#setWhileStopped(now);
      if (setBy === 0) await this.#note(now);
      else await this.#shift(setBy, null, now);
    } catch (error) {
      if (errorCode(error) === 'disk_full') throw error;
      this.#ports.log.error(
        { error: errorMessage(error) },
        'it is not known whether the clock was set meanwhile',
      );
    }
  }

  /** Call it before deciding by the wall clock. Never rejects. */
  async check(): Promise<void> {
    const before = this.#setting;
    const now = this.#look();
    this.#setting = now;
    if (before === null || now === null) return;
    const setBy = Math.round(now.offset - before.offset);
    try {
      if (Math.abs(setBy) > jumpMs) await this.#shift(setBy, now.at - before.at, now);
      else if (this.#noted !== null && Math.abs(now.offset - this.#noted) > jumpMs) await this.#note(now);
    } catch (error) {
      // It is tried again by the next look.
      if (this.#setting === now) this.#setting = before;
      this.#ports.log.error({ error: errorMessage(error) }, 'alarms could not be moved with the clock');
    }
  }

  /** At an orderly stop, while the store is still open. Never rejects. */
  async stop(): Promise<void> {
    await this.check();
    try {
      if (this.#setting) await this.#note(this.#setting);
    } catch (error) {
      this.#ports.log.warn({ error: errorMessage(error) }, 'the setting of the clock could not be noted');
    }
  }

  async #setWhileStopped(now: Setting): Promise<number> {
    const text = await this.#ports.store.meta(clockSettingKey);
    const stored = text === null ? null : storedSchema.parse(JSON.parse(text));
    // Another boot: the time since boot began anew, nothing can be compared.
    if (stored === null || stored.boot !== this.#ports.boot) return 0;
    const setBy = Math.round(now.offset - stored.offset);
    return Math.abs(setBy) > restartJumpMs ? setBy : 0;
  }

  async #shift(ms: number, withinMs: number | null, now: Setting): Promise<void> {
    const { log, store } = this.#ports;
    log.warn(
      { ms, stopped: withinMs === null },
      'the wall clock was set: alarms and expiries keep their length',
    );
    await store.shiftDurations({ ms, withinMs, setting: this.#text(now) });
    this.#noted = now.offset;
  }

  async #note(now: Setting): Promise<void> {
    const text = this.#text(now);
    if (text === null || this.#noted === now.offset) return;
    await this.#ports.store.setMeta(clockSettingKey, text);
    this.#noted = now.offset;
  }

  #text({ offset }: Setting): string | null {
    const { boot = null } = this.#ports;
    return boot === null ? null : JSON.stringify({ boot, offset } satisfies z.infer<typeof storedSchema>);
  }

  #look(): Setting | null {
    const { clock } = this.#ports;
    return clock.sinceBoot ? { offset: clock.now() - clock.sinceBoot(), at: clock.monotonic() } : null;
  }
}
