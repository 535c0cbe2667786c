import type { ContextMessage } from '../../../shared/domain/messages.ts';
import type { Frame } from '../../../shared/domain/frames.ts';
import type { Lease, LinkOutput } from '../../../shared/protocol/worker-link.ts';
import { compactionMessage, withheldText } from '../../../shared/session/context.ts';
import { fitMessage } from './fit-message.ts';
import { isHookNote } from './hook-note.ts';
import { isModeNote } from './mode-news.ts';
import type { SessionPort } from './ports.ts';
import { frameTokens, sumTokens, tokensOf } from './tokens.ts';

/** Messages asked for at a time. */
const pageLimit = 500;
/** A provider's count that is below this share of ours is not believed. */
const leastShare = 0.6;

/** What came before seq `from`, as the model reads it; `seq` is its event. */
export type Compaction = NonNullable<Lease['compaction']>;

/** Where a conversation begins, and how many tokens a request may have. */
export interface ConversationStart {
  /** Nothing up to this seq is wanted. */
  readonly known: number;
  readonly compaction: Compaction | null;
  readonly room: number;
}

/** The context a runner has read so far, grown by what grants bring. Memory only; a new runner reads it again. */
export class Conversation {
  readonly #room: number;
  #messages: ContextMessage[] = [];
  #known: number;
  #compaction: Compaction | null;
  #first: ContextMessage | null;
  /** Tokens of what is stored and not read back yet. */
  #ahead = 0;
  /** What these messages with this frame take; made anew when either is another. Each call of a reply asks for it twice. */
  #measured: { readonly frame: Frame; readonly tokens: number } | null = null;

  constructor({ known, compaction, room }: ConversationStart) {
    this.#room = room;
    this.#compaction = compaction;
    this.#first = compaction === null ? null : compactionMessage(compaction);
    this.#known = Math.max(known, compaction === null ? 0 : compaction.from - 1);
  }

  /** Everything up to this seq is here (or was not wanted). */
  get known(): number {
    return this.#known;
  }

  /** As the model reads it: what was compacted first. */
  get messages(): readonly ContextMessage[] {
    return this.#first === null ? this.#messages : [this.#first, ...this.#messages];
  }

  /** What stands after the compaction. */
  get rest(): readonly ContextMessage[] {
    return this.#messages;
  }

  get compaction(): Compaction | null {
    return this.#compaction;
  }

  /** Adds a page that starts right after `known`. */
  add(page: LinkOutput<'context'>['messages']): void {
    for (const message of page) {
      const whole = message.role === 'user' ? { ...message, ref: message.ref } : message;
      this.#messages.push(fitMessage(whole, this.#room));
    }
    if (page.length > 0) this.#ahead = 0;
    this.#measured = null;
    this.#known = Math.max(this.#known, page.at(-1)?.seq ?? 0);
  }

  /** Something of about this many tokens will stand in the next request. */
  expect(tokens: number): void {
    this.#ahead += tokens;
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
    if (this.#messages.every((message) => message.turn === turn)) return;
    this.#messages = [...this.ofTurn(turn)];
    this.#measured = null;
  }

  /** A hook blocked this message: as a runner that reads it again. */
  withhold(turn: string, ref: string): void {
    this.#messages = this.#messages.map((message) =>
      message.role === 'user' && message.turn === turn && message.ref === ref
        ? { ...message, text: withheldText }
        : message,
    );
    this.#measured = null;
  }

  /** A stored compaction takes the place of what it covers: the same as a runner that begins with it. */
  compact(compaction: Compaction): void {
    this.#compaction = compaction;
    this.#first = compactionMessage(compaction);
    this.#messages = this.#messages.filter((message) => message.seq >= compaction.from);
    this.#measured = null;
  }

  /**
   * About how many tokens a request with this context has. The provider's own count of the newest reply is the best measure of
   * what came before it; a reply from before the compaction counted another context.
   */
  tokens(frame: Frame): number {
    if (this.#measured?.frame !== frame) this.#measured = { frame, tokens: this.#measure(frame) };
    return Math.ceil(this.#measured.tokens + this.#ahead);
  }

  #measure(frame: Frame): number {
    const first = this.#first === null ? 0 : tokensOf(this.#first);
    const estimated = frameTokens(frame) + first + sumTokens(this.#messages);
    return Math.max(this.#counted() ?? estimated, estimated * leastShare);
  }

  #counted(): number | null {
    const since = this.#compaction?.seq ?? 0;
    const at = this.#messages.findLastIndex(
      (message) => message.role === 'assistant' && message.tokens !== undefined && message.seq > since,
    );
    const reply = this.#messages[at];
    if (reply?.role !== 'assistant' || reply.tokens === undefined) return null;
    return reply.tokens + sumTokens(this.#messages.slice(at + 1));
  }

  /** Digest of the instruction files that the model was told about after the frame was made; null: of none. */
  get notedInstructions(): string | null {
    return this.#newestNote((digest) => !isModeNote(digest) && !isHookNote(digest));
  }

  /** A note of this digest follows everything that people wrote in the turn. */
  isNoted(turn: string, digest: string): boolean {
    const own = this.ofTurn(turn).filter((message) => message.role === 'user');
    const said = own.findLastIndex((message) => message.ref !== undefined);
    return own.slice(said + 1).some((message) => message.note === digest);
  }

  /** Digest of the newest note about the session's mode; null: there is none. */
  get notedMode(): string | null {
    return this.#newestNote(isModeNote);
  }

  #newestNote(wanted: (digest: string) => boolean): string | null {
    const since = this.#compaction?.seq ?? 0;
    const note = this.#messages.findLast(
      (message) =>
        message.role === 'user' && message.note !== undefined && wanted(message.note) && message.seq > since,
    );
    return note?.role === 'user' ? (note.note ?? null) : null;
  }
}
