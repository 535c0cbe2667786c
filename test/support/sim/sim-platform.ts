import type { DeliveryPort, SendOutcome } from '../../../electron/daemon/effects/delivery-port.ts';
import type { EffectRow } from '../../../electron/daemon/events/rows.ts';
import type { Ledgers } from './ledgers.ts';
import type { Life } from './life.ts';
import type { DaemonPoint, Fault, PlatformName } from './plan.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** What a simulated platform needs of the world. */
export interface PlatformWorld {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly ledgers: Ledgers;
  /** Nothing fails any more. */
  calm(): boolean;
  /** True when the daemon died here by an armed crash. */
  daemonDiesAt(point: DaemonPoint): boolean;
}

interface Flight {
  readonly arrive: () => void;
}

/** A messenger: keeps what arrived, can lose requests and answers, and is as good at recognising repetitions as its class says. */
export class SimPlatform {
  readonly name: PlatformName;
  fault: Fault = 'none';
  readonly #world: PlatformWorld;
  readonly #flights = new Set<Flight>();
  #last = 0;

  constructor(name: PlatformName, world: PlatformWorld) {
    this.name = name;
    this.#world = world;
  }

  /** The way out to this platform as one daemon has it. */
  port(daemon: Life): DeliveryPort {
    const port: DeliveryPort = {
      surface: this.name,
      class: this.name,
      send: (effect) => this.#send(effect, daemon),
    };
    return this.name === 'readback' ? { ...port, lookup: (effect) => this.#lookup(effect, daemon) } : port;
  }

  /** The daemon died: its requests on the way arrive or are lost, nobody hears of it. */
  cut(): void {
    for (const flight of this.#flights) if (this.#world.random.chance(0.5)) flight.arrive();
    this.#flights.clear();
  }

  async #send(effect: EffectRow, daemon: Life): Promise<SendOutcome> {
    const { scheduler } = this.#world;
    const flight: Flight = { arrive: () => void this.#arrive(effect) };
    this.#flights.add(flight);
    await scheduler.reach(`${this.name}.request`, daemon, `send ${effect.id}`);
    if (!this.#flights.delete(flight)) return new Promise(() => undefined);
    const outcome = this.#outcome(effect);
    if (this.#world.daemonDiesAt('send.arrived')) return new Promise(() => undefined);
    if (this.fault === 'slow')
      await new Promise<void>((resolve) => scheduler.time.clock(daemon).after(20_000, resolve));
    await scheduler.reach(
      `${this.name}.answer`,
      daemon,
      `${outcome instanceof Error ? 'throws' : outcome.kind} ${effect.id}`,
    );
    if (this.#world.random.chance(0.25)) this.fault = 'none';
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  #outcome(effect: EffectRow): SendOutcome | Error {
    switch (this.fault) {
      case 'none':
      case 'slow':
        return { kind: 'sent', externalId: this.#arrive(effect) };
      case 'lost_answer':
      case 'no_lookup':
        this.#arrive(effect);
        return { kind: 'unknown', reason: 'no answer' };
      case 'lost_request':
        return { kind: 'unknown', reason: 'no answer' };
      case 'busy':
        return { kind: 'retry', reason: '429', ...(this.#world.random.chance(0.5) ? { afterMs: 3000 } : {}) };
      case 'refuse':
        return { kind: 'rejected', reason: 'chat not found' };
      case 'throws':
        if (this.#world.random.chance(0.5)) this.#arrive(effect);
        return new Error('socket hang up');
    }
  }

  /** The platform's id of the message; a platform with keys knows a repetition. */
  #arrive(effect: EffectRow): string {
    const { arrivals } = this.#world.ledgers;
    const known = arrivals.find((arrival) => arrival.platform === this.name && arrival.key === effect.key);
    if (known && this.name === 'keyed') return known.id;
    this.#last += 1;
    const id = `${this.name}-${this.#last}`;
    arrivals.push({
      platform: this.name,
      chat: effect.route?.chat ?? '',
      effect: effect.id,
      key: effect.key,
      text: effect.text ?? '',
      id,
    });
    return id;
  }

  async #lookup(
    effect: EffectRow,
    daemon: Life,
  ): Promise<{ found: boolean; externalId?: string } | 'unknown'> {
    await this.#world.scheduler.reach(`${this.name}.answer`, daemon, `look up ${effect.id}`);
    if (this.fault === 'no_lookup') return 'unknown';
    const known = this.#world.ledgers.arrivals.find(
      (arrival) => arrival.platform === this.name && arrival.key === effect.key,
    );
    return known ? { found: true, externalId: known.id } : { found: false };
  }
}
