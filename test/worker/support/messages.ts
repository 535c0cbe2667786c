import type { CallResult, ContextMessage, Reply } from '../../../shared/domain/messages.ts';
import { taskEndedMark } from '../../../shared/domain/tasks.ts';

/** A conversation of one turn that grows as a store would grow it. */
export class TurnScript {
  readonly messages: ContextMessage[] = [];
  #seq = 0;
  #refs = 0;

  person(text: string): this {
    this.#refs += 1;
    return this.#add({ role: 'user', ref: `m${this.#refs}`, text });
  }

  taskEnded(text: string): this {
    return this.#add({ role: 'user', ref: undefined, wake: 'task_ended', text: `${taskEndedMark} ${text}` });
  }

  nudge(): this {
    return this.#add({ role: 'user', ref: undefined, text: 'Answer the person.' });
  }

  /** Stores the reply and gives each of its calls a result. */
  reply(reply: Reply, resultOf: (tool: string, input: unknown) => CallResult): this {
    this.#add({ role: 'assistant', reply });
    for (const part of reply.parts) {
      if (part.type !== 'call') continue;
      const { id: call, tool, input } = part;
      this.#add({ role: 'result', call, tool, result: resultOf(tool, input) });
    }
    return this;
  }

  #add(message: DistributiveOmit<ContextMessage, 'seq' | 'turn'>): this {
    this.#seq += 1;
    this.messages.push({ ...message, seq: this.#seq, turn: 'trn_1' } as ContextMessage);
    return this;
  }
}

type DistributiveOmit<Whole, Keys extends PropertyKey> = Whole extends unknown ? Omit<Whole, Keys> : never;

/** A result with outcome ok. */
export const ok = (output: string): CallResult => ({ outcome: 'ok', output });
