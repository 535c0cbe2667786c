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
  #background = 0;
  #told: string = said(null, 0);
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

  /** How many background tasks run. */
  background(count: number): void {
    this.#background = count;
    this.#flush();
  }

  close(): void {
    this.#pause?.();
    this.#pause = null;
    this.#told = said(this.#doing, this.#background);
  }

  #flush(): void {
    const now = said(this.#doing, this.#background);
    if (this.#pause !== null || now === this.#told) return;
    this.#told = now;
    const [doing, background] = [this.#doing, this.#background];
    this.#transport.send({ type: 'activity', ...this.#owner, doing, background });
    this.#pause = this.#clock.after(spacingMs, () => {
      this.#pause = null;
      this.#flush();
    });
  }
}

function said(doing: string | null, background: number): string {
  return JSON.stringify([doing, background]);
}
