import { KairosError } from '../../../shared/base/errors.ts';
import {
  type LinkInput,
  type LinkOutput,
  type LinkVerb,
  linkVerbs,
  longest,
  type WorkerToDaemon,
} from '../../../shared/protocol/worker-link.ts';
import { jsonBytes } from '../tools/fit-frame.ts';
import type { Transport } from './transport.ts';

interface Pending {
  readonly verb: LinkVerb;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: KairosError) => void;
}

/** Questions of all sessions over one wire, matched with their answers by number. */
export class LinkClient {
  readonly #transport: Transport;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #closed = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Rejects with `too_large` or another ParcelError (nothing was sent), `closed`, `bad_answer`, or the code of the daemon's fault. */
  ask<Verb extends LinkVerb>(
    session: string,
    lease: string,
    verb: Verb,
    input: LinkInput<Verb>,
  ): Promise<LinkOutput<Verb>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const frame: WorkerToDaemon = { type: 'ask', id, session, lease, verb, input };
    if (this.#closed) return Promise.reject(closed());
    const large = verb === 'recordReply' ? largePart(input as LinkInput<'recordReply'>) : null;
    if (large !== null) return Promise.reject(new KairosError('too_large', large));
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { verb, resolve: resolve as (output: unknown) => void, reject });
      try {
        this.#transport.send(frame);
      } catch (error) {
        this.#pending.delete(id);
        reject(error);
      }
    });
  }

  /** The daemon answered; false when nothing with that number was asked. */
  answered(id: number, output: unknown): boolean {
    const pending = this.#take(id);
    if (pending === undefined) return false;
    const parsed = linkVerbs[pending.verb].output.safeParse(output);
    if (parsed.success) pending.resolve(parsed.data);
    else
      pending.reject(new KairosError('bad_answer', `The daemon's answer to ${pending.verb} is malformed.`));
    return true;
  }

  /** The daemon could not do it; false when nothing with that number was asked. */
  failed(id: number, code: string, message: string): boolean {
    const pending = this.#take(id);
    pending?.reject(new KairosError(code, message));
    return pending !== undefined;
  }

  /** The wire is gone: everything that waits for an answer fails. */
  close(): void {
    this.#closed = true;
    for (const id of this.#pending.keys()) this.#take(id)?.reject(closed());
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

/** Why a reply cannot be handed over, or null. */
function largePart({ reply, context }: LinkInput<'recordReply'>): string | null {
  if (jsonBytes(reply) > longest.reply) return `The reply is larger than ${longest.reply} bytes.`;
  const isLarge = context !== undefined && Buffer.byteLength(context, 'base64') > longest.context;
  return isLarge ? `The runner's context is larger than ${longest.context} bytes.` : null;
}

function closed(): KairosError {
  return new KairosError('closed', 'The link to the daemon is closed.');
}
