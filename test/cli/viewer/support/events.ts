import type { AnyEvent } from '../../../../shared/domain/events.ts';
import type { Origin } from '../../../../shared/domain/origin-route.ts';

const owner: Origin = { principal: 'owner', trust: 'owner', surface: 'viewers' };
const startAt = new Date(2026, 10, 30, 9, 2).getTime();

/** Writes a session's log, event by event, as a daemon would. */
export class LogWriter {
  readonly events: AnyEvent[] = [];
  #turn = 0;

  add(type: string, body: unknown, origin?: Origin): AnyEvent {
    const seq = this.events.length + 1;
    const event = {
      id: seq,
      session: 's',
      seq,
      at: startAt + seq * 1000,
      type,
      v: 1,
      ...(origin === undefined ? {} : { origin }),
      body,
    };
    this.events.push(event);
    return event;
  }

  received(text: string, change: { origin?: Origin; route?: unknown; message?: string } = {}): AnyEvent {
    const seq = this.events.length + 1;
    const { message = `msg_${seq}`, route = { surface: 'viewers' }, origin = owner } = change;
    const body = { message, wake: `w${seq}`, ref: `m${seq}`, kind: 'person', mode: 'next_step', text, route };
    return this.add('message.received', body, origin);
  }

  /** A whole turn: a message, calls, an answer. */
  turn(
    text: string,
    answer: string,
    calls: readonly { tool: string; input: unknown; outcome?: string; output?: string }[] = [],
  ): void {
    this.#turn += 1;
    const turn = `t${this.#turn}`;
    const { seq } = this.received(text);
    this.add('turn.began', { turn, cause: 'person' });
    this.add('step.began', {
      step: `${turn}s`,
      turn,
      n: 1,
      frame: 'f',
      wakes: [`w${seq}`],
      delivered: [],
      reservation: { tokens: 0, microUsd: 0, maxOutputTokens: 1 },
      policy: 'p',
    });
    for (const [index, call] of calls.entries()) this.#call(turn, `${turn}c${index}`, call);
    this.add('message.sent', {
      turn,
      call: null,
      text: answer,
      status: 'normal',
      source: 'final_text',
      inReplyTo: null,
      routes: [],
    });
    this.add('message.settled', {
      message: `msg_${seq}`,
      wake: `w${seq}`,
      ref: `m${seq}`,
      turn,
      by: 'reply',
    });
    this.add('turn.ended', { turn, outcome: 'done' });
  }

  #call(
    turn: string,
    call: string,
    {
      tool,
      input,
      outcome = 'ok',
      output = '',
    }: { tool: string; input: unknown; outcome?: string; output?: string },
  ): void {
    const common = { call, step: `${turn}s`, turn, tool };
    this.add('call.began', {
      ...common,
      input,
      class: 'local',
      digest: 'd',
      decision: { behavior: 'allow', by: 'mode', rule: null },
    });
    this.add('call.ended', { ...common, result: { outcome, output } });
  }
}
