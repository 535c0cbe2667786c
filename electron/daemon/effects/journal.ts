import { boundary } from '../../node/boundary.ts';
import { errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import { recover } from '../../../shared/domain/effects.ts';
import { routeKey } from '../../../shared/domain/origin-route.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import type { Store } from '../events/port.ts';
import type { EffectRow } from '../events/rows.ts';
import { afterSend } from './after-send.ts';
import type { DeliveryPort, SendOutcome } from './delivery-port.ts';

export interface JournalPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly problems: ProblemPort;
}

/** Works off planned deliveries: one at a time and in order per chat, chats side by side. Rows decide; a restart goes on where it was. */
export class EffectJournal {
  readonly #ports: JournalPorts;
  readonly #deliveries = new Map<string, DeliveryPort>();
  /** Chats that are being worked on. */
  readonly #busy = new Set<string>();
  readonly #offCommit: () => void;
  /** Effects that this process started: found `started` otherwise means a crash in between. */
  readonly #mine = new Set<string>();
  #again = false;
  #running: Promise<void> | null = null;
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
    this.#running ??= this.#scan().finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#offCommit();
    await this.#running;
  }

  async #scan(): Promise<void> {
    while (this.#again && !this.#stopping) {
      this.#again = false;
      try {
        const byChat = Map.groupBy(await this.#ports.store.openEffects(), (effect) =>
          routeKey(effect.route ?? { surface: '' }),
        );
        for (const [chat, effects] of byChat) this.#workOn(chat, effects);
      } catch (error) {
        this.#ports.log.error({ error: errorMessage(error) }, 'open deliveries could not be read');
      }
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
    if (first.until !== null && first.until > this.#ports.clock.now()) return;
    this.#busy.add(chat);
    void this.#deliver(first, port)
      .catch((error: unknown) =>
        this.#ports.log.error(
          { effect: first.id, error: errorMessage(error) },
          'delivery failed in the store',
        ),
      )
      .finally(() => {
        this.#busy.delete(chat);
        this.pump();
      });
  }

  async #deliver(effect: EffectRow, port: DeliveryPort): Promise<void> {
    const { store } = this.#ports;
    const todo =
      this.#mine.has(effect.id) && effect.state === 'started' ? 'retry' : recover(effect.class, effect.state);
    switch (todo) {
      case 'none':
        return;
      case 'uncertain':
        await store.finishEffect({
          effect: effect.id,
          state: 'uncertain',
          reason: 'Kairos stopped while sending.',
        });
        return;
      case 'query':
        return this.#query(effect, port);
      case 'run':
      case 'retry':
        return this.#send(effect, port);
    }
  }

  async #query(effect: EffectRow, port: DeliveryPort): Promise<void> {
    const { store } = this.#ports;
    const found = port.lookup ? await port.lookup(effect) : 'unknown';
    if (found === 'unknown') {
      await store.finishEffect({
        effect: effect.id,
        state: 'uncertain',
        reason: 'It cannot be looked up whether it arrived.',
      });
    } else if (found.found) {
      await store.finishEffect({ effect: effect.id, state: 'done', externalId: found.externalId ?? '' });
    } else {
      await this.#send(effect, port);
    }
  }

  async #send(effect: EffectRow, port: DeliveryPort): Promise<void> {
    const { store, clock } = this.#ports;
    const started = await store.startEffect(effect.id);
    this.#mine.add(effect.id);
    boundary('delivery.send', 'before');
    const outcome = await port
      .send(started)
      .catch((error: unknown): SendOutcome => ({ kind: 'unknown', reason: errorMessage(error) }));
    boundary('delivery.send', 'after');
    const after = afterSend(outcome, started.class, started.attempt, clock.now());
    await store.finishEffect({ effect: effect.id, ...after });
    this.#mine.delete(effect.id);
    if (after.state === 'uncertain' || after.state === 'failed') {
      this.#ports.log.warn(
        { effect: effect.id, state: after.state, reason: after.reason },
        'a message may not have arrived',
      );
    }
  }
}
