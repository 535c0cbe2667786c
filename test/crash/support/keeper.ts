import { setTimeout as delay } from 'node:timers/promises';
import type { Kairos } from '../../support/real/kairos.ts';
import { isLiving } from '../../support/real/processes.ts';
import { waitFor } from '../../support/real/wait-for.ts';

/** Does what systemd or a person would: starts Kairos again when its supervisor is gone. */
export class Keeper {
  readonly #kairos: Kairos;
  #keeping: Promise<void> | null = null;
  #stopped = false;
  #supervisor = 0;
  /** How often it had to start again, and the longest time after a supervisor's death until everything was gone, ms. */
  starts = 0;
  longestGoneMs = 0;

  constructor(kairos: Kairos) {
    this.#kairos = kairos;
  }

  /** Starts until a start succeeds: with crash points even the start may die. */
  async start(): Promise<void> {
    await waitFor(
      async () => {
        const result = await this.#kairos.cli(['daemon', 'start', '--json']);
        return result.code === 0;
      },
      { what: 'a daemon start that succeeds', withinMs: 60_000, everyMs: 50 },
    );
    this.#supervisor = this.#kairos.processes('supervisor')[0]?.pid ?? 0;
  }

  /** Watches from now on. */
  keep(): void {
    this.#keeping ??= this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#keeping;
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      await delay(20);
      if (isLiving(this.#supervisor)) continue;
      const since = performance.now();
      await this.#kairos.nothingLeft();
      this.longestGoneMs = Math.max(this.longestGoneMs, performance.now() - since);
      if (this.#stopped) return;
      this.starts += 1;
      await this.start();
    }
  }
}
