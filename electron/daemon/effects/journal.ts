import { boundary } from '../../node/boundary.ts';
import { assertNever } from '../../../shared/base/assert-never.ts';
import { errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import { routeKey } from '../../../shared/domain/origin-route.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import type { FullDiskPatience } from '../events/full-disk.ts';
import type { Store } from '../events/port.ts';
import type { EffectRow } from '../events/rows.ts';
import { type AfterSend, afterLookup, afterSend, isDue, whatToDo } from './after-send.ts';
import type { DeliveryPort, SendOutcome } from './delivery-port.ts';

/** What the journal works with. */
export interface JournalPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly problems: ProblemPort;
  readonly patience: FullDiskPatience;
}

/** How long an orderly stop waits for platforms to answer. */
const stopGraceMs = 5_000;
/** Pause after a fault of the store. */
const restMs = 5_000;

/** Works off planned deliveries: one at a time and in order per chat, chats side by side. Rows decide; a restart goes on where it was. */
export class EffectJournal {
  readonly #ports: JournalPorts;
  readonly #deliveries = new Map<string, DeliveryPort>();
  /** Chats that are being worked on. */
  readonly #busy = new Set<string>();
  readonly #offCommit: () => void;
  /** Deliveries under way. */
  readonly #flights = new Set<Promise<void>>();
  #again = false;
  #isScanning = false;
  #scanning: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(ports: JournalPorts) {
    this.#ports = ports;
    this.#offCommit = ports.store.onCommit((notice) => {
      if (notice.work) this.pump();
    });
  }

  register(port: DeliveryPort): void {
    this.#deliveries.set(port.surface, port);
    this.#ports.problems.clear(`delivery:${port.surface}`);
    this.pump();
  }

  unregister(surface: string): void {
    this.#deliveries.delete(surface);
  }

  /** The class new deliveries to a surface are planned with. */
  classOf(surface: string): DeliveryPort['class'] {
    return this.#deliveries.get(surface)?.class ?? 'blind';
  }

  /** Looks for deliveries that may be made now. */
  pump(): void {
    if (this.#stopping || this.#deliveries.size === 0) return;
    this.#again = true;
    if (this.#isScanning) return;
    this.#isScanning = true;
    this.#scanning = this.#scan();
  }

  /** No new delivery; those under way get a moment to hear what became of them. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#offCommit();
    await this.#scanning;
    if (this.#flights.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#ports.clock.after(stopGraceMs, resolve);
      void Promise.all(this.#flights).then(() => {
        cancel();
        resolve();
      });
    });
  }

  /** The flag falls in the same instant in which the loop sees that nobody asked again: no call in between is lost. */
  async #scan(): Promise<void> {
    try {
      while (this.#again && !this.#stopping) {
        this.#again = false;
        const open = await this.#ports.store.openEffects();
        const byChat = Map.groupBy(open, (effect) => routeKey(effect.route ?? { surface: '' }));
        for (const [chat, effects] of byChat) this.#workOn(chat, effects);
      }
    } catch (error) {
      this.#ports.log.error({ error: errorMessage(error) }, 'open deliveries could not be read');
      this.#ports.clock.after(restMs, () => this.pump(), { keepAlive: false });
    } finally {
      this.#isScanning = false;
    }
  }

  #workOn(chat: string, effects: readonly EffectRow[]): void {
    const first = effects[0];
    const port = first?.route ? this.#deliveries.get(first.route.surface) : undefined;
    if (!first || this.#busy.has(chat)) return;
    if (!port) {
      const surface = first.route?.surface ?? 'nowhere';
      this.#ports.problems.set(
        `delivery:${surface}`,
        `Messages wait for ${surface}, which is not connected.`,
        'Connect it; nothing is lost.',
      );
      return;
    }
    if (!isDue(first, this.#ports.clock.now())) return;
    this.#busy.add(chat);
    const flight = this.#deliver(first, port)
      .catch((error: unknown) => this.#rest(first, error))
      .finally(() => {
        this.#busy.delete(chat);
        this.#flights.delete(flight);
        this.pump();
      });
    this.#flights.add(flight);
  }

  /** The store failed: the row says what is to be done, after a while. */
  async #rest(effect: EffectRow, error: unknown): Promise<void> {
    if (this.#stopping) return;
    this.#ports.log.error({ effect: effect.id, error: errorMessage(error) }, 'delivery failed in the store');
    await new Promise<void>((resolve) => this.#ports.clock.after(restMs, resolve, { keepAlive: false }));
  }

  /** `seen` may be old by now; what counts is the row. */
  async #deliver(seen: EffectRow, port: DeliveryPort): Promise<void> {
    const effect = await this.#ports.store.effect(seen.id);
    if (!effect) return;
    const todo = whatToDo(effect);
    switch (todo) {
      case 'none':
        return;
      case 'uncertain':
        return this.#finish(effect, { state: 'uncertain', reason: 'Kairos stopped while sending.' });
      case 'query':
        return this.#query(effect, port);
      case 'run':
      case 'retry':
        return this.#send(effect, port);
      default:
        assertNever(todo, 'recovery');
    }
  }

  async #query(effect: EffectRow, port: DeliveryPort): Promise<void> {
    const { log } = this.#ports;
    const found = port.lookup
      ? await port.lookup(effect).catch((error: unknown): 'unknown' => {
          log.warn({ effect: effect.id, error: errorMessage(error) }, 'a delivery could not be looked up');
          return 'unknown';
        })
      : 'unknown';
    if (found === 'unknown') {
      await this.#finish(effect, afterLookup(effect, this.#ports.clock.now()));
    } else if (found.found) {
      await this.#finish(effect, { state: 'done', externalId: found.externalId ?? '' });
    } else {
      await this.#send(effect, port);
    }
  }

  async #send(effect: EffectRow, port: DeliveryPort): Promise<void> {
    const { store, clock, patience } = this.#ports;
    const started = await patience.run(() => store.startEffect(effect.id));
    boundary('delivery.send', 'before');
    const outcome = await port
      .send(started)
      .catch((error: unknown): SendOutcome => ({ kind: 'unknown', reason: errorMessage(error) }));
    boundary('delivery.send', 'after');
    await this.#finish(effect, afterSend(outcome, started.class, started.attempt, clock.now()));
  }

  async #finish(effect: EffectRow, end: AfterSend): Promise<void> {
    const { store, patience, log } = this.#ports;
    await patience.run(() => store.finishEffect({ effect: effect.id, ...end }));
    if (end.state === 'uncertain' || end.state === 'failed') {
      const { state, reason } = end;
      log.warn({ effect: effect.id, state, reason }, 'a message may not have arrived');
    }
  }
}
