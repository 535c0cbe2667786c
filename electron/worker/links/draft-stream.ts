import type { Cancel, Clock } from '../../../shared/base/ports.ts';
import type { WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';
import type { DraftText } from '../agent/ports.ts';
import type { Transport } from './transport.ts';

/** At most 30 draft frames per second and session. */
const spacingMs = 1000 / 30;
/** Text of a part that waits longer than the wire can take is dropped; the gap in `offset` tells. */
const mostWaiting = 64 * 1024;

interface Part {
  readonly step: string;
  readonly part: number;
  kind: DraftText['kind'];
  offset: number;
  text: string;
  /** A piece of part 0 at offset 0 has to go first: it empties what viewers have of this step. */
  restarts: boolean;
}

/** Sends what is being written, lossy: pieces are joined, never faster than 30 per second, and wait while the wire is full. */
export class DraftStream {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #owner: { readonly session: string; readonly lease: string };
  #parts: Part[] = [];
  #pause: Cancel | null = null;
  #full = false;

  constructor(
    transport: Transport,
    clock: Clock,
    owner: { readonly session: string; readonly lease: string },
  ) {
    this.#transport = transport;
    this.#clock = clock;
    this.#owner = owner;
  }

  add({ step, part, kind, text, restart }: DraftText): void {
    if (restart === true) this.#parts = [{ step, part: 0, kind, offset: 0, text: '', restarts: true }];
    let known = this.#parts.find((each) => each.step === step && each.part === part);
    if (known === undefined) {
      this.#parts = this.#parts.filter((each) => each.step === step);
      known = { step, part, kind, offset: 0, text: '', restarts: false };
      this.#parts.push(known);
    }
    if (known.offset === 0 && known.text === '') known.kind = kind;
    known.text += text;
    if (known.text.length > mostWaiting) {
      known.offset += known.text.length;
      known.text = '';
    }
    this.#flush();
  }

  /** The step's reply is on its way to the store: what waits is of no use any more. */
  clear(): void {
    this.#parts = [];
  }

  /** No more drafts; no timer stays. */
  close(): void {
    this.clear();
    this.#pause?.();
    this.#pause = null;
  }

  #flush(): void {
    if (this.#full || this.#pause !== null) return;
    const next = this.#parts.find((part) => part.text !== '' || part.restarts);
    if (next === undefined) return;
    const frame = pieceOf(next);
    this.#pause = this.#clock.after(spacingMs, () => {
      this.#pause = null;
      this.#flush();
    });
    this.#send({ type: 'draft', ...this.#owner, ...frame });
  }

  #send(frame: WorkerToDaemon): void {
    const room = this.#transport.send(frame, () => {
      if (!this.#full) return;
      this.#full = false;
      this.#flush();
    });
    this.#full = !room;
  }
}

/** Takes what waits of a part; after text was dropped a restart goes alone, at the offset that means it. */
function pieceOf(next: Part): Pick<Part, 'step' | 'part' | 'kind' | 'offset' | 'text'> {
  const { step, part, kind, offset, text, restarts } = next;
  next.restarts = false;
  if (restarts && offset > 0) return { step, part, kind, offset: 0, text: '' };
  next.offset += text.length;
  next.text = '';
  return { step, part, kind, offset, text };
}
