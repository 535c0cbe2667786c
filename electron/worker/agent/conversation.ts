import type { ContextMessage } from '../../../shared/domain/messages.ts';
import type { LinkOutput } from '../../../shared/protocol/worker-link.ts';
import type { SessionPort } from './ports.ts';

/** Messages asked for at a time. */
const pageLimit = 500;

/** The context a runner has read so far, grown by what grants bring. Memory only; a new runner reads it again. */
export class Conversation {
  #messages: ContextMessage[] = [];
  #known: number;

  /** `known`: nothing up to this seq is wanted. */
  constructor(known: number) {
    this.#known = known;
  }

  /** Everything up to this seq is here (or was not wanted). */
  get known(): number {
    return this.#known;
  }

  get messages(): readonly ContextMessage[] {
    return this.#messages;
  }

  /** Adds a page that starts right after `known`. */
  add(page: LinkOutput<'context'>['messages']): void {
    for (const message of page) {
      this.#messages.push(message.role === 'user' ? { ...message, ref: message.ref } : message);
    }
    this.#known = Math.max(this.#known, page.at(-1)?.seq ?? 0);
  }

  /** Reads on until nothing newer is stored. */
  async catchUp(port: SessionPort): Promise<void> {
    let after = this.#known;
    for (let more = true; more; ) {
      const page = await port.ask('context', { after, limit: pageLimit });
      this.add(page.messages);
      more = page.more;
      // An empty page with more behind it: at least the next event is no message.
      after = page.messages.length > 0 ? this.#known : after + 1;
    }
  }

  /** Messages of one turn, oldest first. */
  ofTurn(turn: string): readonly ContextMessage[] {
    return this.#messages.filter((message) => message.turn === turn);
  }

  /** Lets go of other turns. */
  keepOnly(turn: string): void {
    if (this.#messages.some((message) => message.turn !== turn)) this.#messages = [...this.ofTurn(turn)];
  }
}
