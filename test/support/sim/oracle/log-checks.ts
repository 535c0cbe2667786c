import type { StoredEvent } from '../../../../shared/domain/events.ts';
import { type Facts, isValid, type SessionLog, type Violation } from './facts.ts';

/** Gapless numbers, valid bodies, and turns, steps and calls that nest as they must. */
export function checkLogs(facts: Facts): Violation[] {
  const ids = facts.all.map((event) => event.id);
  const unique = new Set(ids).size === ids.length ? [] : ['two events have one id'];
  return [...unique, ...facts.logs.flatMap(checkLog)];
}

function checkLog(log: SessionLog): Violation[] {
  const { row, events } = log;
  const found: Violation[] = [];
  for (const [index, event] of events.entries()) {
    if (event.seq !== index + 1) found.push(`${row.id}: seq ${event.seq} where ${index + 1} belongs`);
    if (!isValid(event)) found.push(`${row.id}: invalid ${event.type} at ${event.seq}`);
  }
  if (row.seq !== events.length)
    found.push(`${row.id}: the row says seq ${row.seq}, the log has ${events.length}`);
  const nesting = new Nesting(row.id);
  for (const event of events) nesting.take(event);
  return [...found, ...nesting.found];
}

type Calls = Map<string, 'planned' | 'begun' | 'ended'>;

/** Follows the open turn, step and calls of one session. */
class Nesting {
  readonly found: Violation[] = [];
  readonly #session: string;
  #turn: string | null = null;
  #step: { id: string; replied: boolean; n: number } | null = null;
  #calls: Calls = new Map();
  #classes = new Map<string, string>();

  constructor(session: string) {
    this.#session = session;
  }

  take(event: StoredEvent): void {
    switch (event.type) {
      case 'turn.began':
        this.#demand(this.#turn === null, event, 'a turn began in a turn');
        this.#turn = event.body.turn;
        this.#step = null;
        return;
      case 'step.began':
        this.#demand(this.#turn === event.body.turn, event, 'a step outside of its turn');
        this.#demand(this.#stepIsOver(), event, 'a step began before the last one was over');
        this.#demand(event.body.n === (this.#step?.n ?? 0) + 1, event, 'steps are numbered wrongly');
        this.#step = { id: event.body.step, replied: false, n: event.body.n };
        this.#calls = new Map();
        return;
      case 'step.replied':
        this.#demand(
          this.#step?.id === event.body.step && !this.#step.replied,
          event,
          'a reply without its step',
        );
        if (this.#step) this.#step.replied = true;
        for (const part of event.body.reply.parts)
          if (part.type === 'call') this.#calls.set(part.id, 'planned');
        return;
      case 'step.abandoned':
        this.#demand(
          this.#step?.id === event.body.step && !this.#step.replied,
          event,
          'a step abandoned that was not open',
        );
        return;
      case 'call.began':
      case 'call.ended':
        return this.#takeCall(event);
      case 'turn.ended':
        this.#demand(this.#turn === event.body.turn, event, 'the end of another turn');
        this.#demand(
          this.#stepIsOver() || event.body.outcome === 'interrupted',
          event,
          'a turn ended within a step',
        );
        this.#demand(
          [...this.#calls.values()].every((state) => state === 'ended'),
          event,
          'a turn ended with open calls',
        );
        this.#turn = null;
        this.#step = null;
        return;
      default:
    }
  }

  #takeCall(event: Extract<StoredEvent, { type: 'call.began' | 'call.ended' }>): void {
    const { call, step } = event.body;
    const state = this.#calls.get(call);
    this.#demand(this.#step?.id === step && state !== undefined, event, 'a call outside of its step');
    if (event.type === 'call.ended') {
      this.#demand(state !== 'ended', event, `call ${call} ended twice`);
      this.#calls.set(call, 'ended');
      return;
    }
    const again = state === 'begun' && this.#classes.get(call) === 'pure';
    this.#demand(state === 'planned' || again, event, `call ${call} began twice`);
    const first = [...this.#calls].find(([, each]) => each !== 'ended')?.[0];
    this.#demand(first === call, event, `call ${call} began before an earlier one ended`);
    this.#demand(
      event.body.decision.behavior === 'allow',
      event,
      `call ${call} began with decision ${event.body.decision.behavior}`,
    );
    this.#calls.set(call, 'begun');
    this.#classes.set(call, event.body.class);
  }

  #stepIsOver(): boolean {
    if (!this.#step) return true;
    return this.#step.replied && [...this.#calls.values()].every((state) => state === 'ended');
  }

  #demand(holds: boolean, event: StoredEvent, what: string): void {
    if (!holds) this.found.push(`${this.#session}: ${what} (${event.type} at ${event.seq})`);
  }
}
