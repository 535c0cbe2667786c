import type { Cancel, Clock } from '../../../shared/base/ports.ts';
import type { Transport } from './transport.ts';

/** A person cannot read faster; steps of the offline engine take less. */
const spacingMs = 100;

/** Tells what a session is doing, lossy: the newest wins, ten times a second at most. */
export class ActivityLine {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #owner: { readonly session: string; readonly lease: string };
  #doing: string | null = null;
  #told: string | null = null;
  #pause: Cancel | null = null;

  constructor(
    transport: Transport,
    clock: Clock,
    owner: { readonly session: string; readonly lease: string },
  ) {
    this.#transport = transport;
    this.#clock = clock;
    this.#owner = owner;
  }

  set(doing: string | null): void {
    this.#doing = doing;
    this.#flush();
  }

  close(): void {
    this.#pause?.();
    this.#pause = null;
    this.#told = this.#doing;
  }

  #flush(): void {
    if (this.#pause !== null || this.#doing === this.#told) return;
    this.#told = this.#doing;
    this.#transport.send({ type: 'activity', ...this.#owner, doing: this.#doing, background: 0 });
    this.#pause = this.#clock.after(spacingMs, () => {
      this.#pause = null;
      this.#flush();
    });
  }
}
