import type * as z from 'zod/mini';
import type { Clock } from '../../../../shared/base/ports.ts';
import {
  type DaemonFile,
  errorBodySchema,
  newDeviceAnswerSchema,
  ticketAnswerSchema,
} from '../../../../shared/protocol/bridge.ts';
import type { Asked, Fault } from '../../../../shared/viewing/fault.ts';
import type { Home } from '../../../node/home.ts';
import { type BridgeRequest, readBody, sendRequest } from '../../bridge/http.ts';
import { locateDaemon } from '../../bridge/locate.ts';

/** Longest wait for an answer, ms. */
const patienceMs = 20_000;
/** What the list of devices calls it. */
const deviceName = 'Terminal viewer';
/** What a viewer may (behaviour 3). */
const scopes = ['read', 'send', 'approve'] as const;

const nobody: Fault = {
  status: 0,
  code: 'unreached',
  message: 'Kairos is not running.',
  next: 'Start it with: kairos daemon start',
};
const unreadable: Fault = {
  status: 500,
  code: 'unreadable',
  message: 'The daemon gave an answer that this version of kairos does not understand.',
  next: 'Restart it with: kairos daemon restart',
};

/**
 * The bridge with a viewer's rights. The owner token of the home is used for two things only: the ticket that makes this viewer's
 * device when it begins, and ending that device when it leaves.
 */
export class ViewerBridge {
  readonly #home: Home;
  readonly #clock: Clock;
  #device: { readonly id: string; readonly token: string } | null = null;

  constructor(home: Home, clock: Clock) {
    this.#home = home;
    this.#clock = clock;
  }

  /** Id of this viewer's device, once it is made. */
  get device(): string | null {
    return this.#device?.id ?? null;
  }

  /** The daemon of the home as it is now; null while none runs. */
  async daemon(): Promise<DaemonFile | null> {
    const located = await locateDaemon(this.#home);
    return located.kind === 'running' ? located.daemon : null;
  }

  /** Asks with this viewer's token. Never rejects; the daemon is looked up each time, it may have moved. */
  async ask<Value>(
    request: Omit<BridgeRequest, 'repeatable'>,
    schema: z.ZodMiniType<Value>,
  ): Promise<Asked<Value>> {
    if (this.#device === null) return { ok: false, fault: nobody };
    return this.#send(request, schema, this.#device.token);
  }

  /** A ticket for one connection; the first one makes the device before. */
  async ticket(): Promise<Asked<{ readonly ticket: string }>> {
    if (this.#device === null) {
      const made = await this.#makeDevice();
      if (!made.ok) return made;
    }
    return this.ask({ method: 'POST', path: '/tickets', body: {} }, ticketAnswerSchema);
  }

  async #makeDevice(): Promise<Asked<null>> {
    const ticket = await this.#send(
      { method: 'POST', path: '/tickets', body: { scopes } },
      ticketAnswerSchema,
      null,
    );
    if (!ticket.ok) return ticket;
    const body = { ticket: ticket.value.ticket, name: deviceName };
    const made = await this.#send(
      { method: 'POST', path: '/tickets/redeem', body },
      newDeviceAnswerSchema,
      null,
    );
    if (!made.ok) return made;
    this.#device = { id: made.value.device.id, token: made.value.token };
    return { ok: true, value: null };
  }

  /** Ends this viewer's device; a daemon that does not answer ends it by itself later. */
  async signOut(): Promise<void> {
    const daemon = this.#device === null ? null : await this.daemon();
    if (daemon === null || this.#device === null) return;
    const path = `/devices/${encodeURIComponent(this.#device.id)}`;
    await this.#answer(daemon, { method: 'DELETE', path }, 1_000);
    this.#device = null;
  }

  /** `token` null: the owner's. */
  async #send<Value>(
    request: Omit<BridgeRequest, 'repeatable'>,
    schema: z.ZodMiniType<Value>,
    token: string | null,
  ): Promise<Asked<Value>> {
    const daemon = await this.daemon();
    if (daemon === null) return { ok: false, fault: nobody };
    const answer = await this.#answer(token === null ? daemon : { ...daemon, token }, request, patienceMs);
    if (answer === null) return { ok: false, fault: { ...nobody, message: 'Kairos does not answer.' } };
    if (answer.status >= 400) return { ok: false, fault: faultOf(answer.status, answer.body) };
    const read = schema.safeParse(answer.body);
    return read.success ? { ok: true, value: read.data } : { ok: false, fault: unreadable };
  }

  async #answer(daemon: DaemonFile, request: Omit<BridgeRequest, 'repeatable'>, withinMs: number) {
    const abort = new AbortController();
    const cancel = this.#clock.after(withinMs, () => abort.abort());
    try {
      const outcome = await sendRequest(daemon, { ...request, repeatable: false }, abort.signal);
      if (outcome.kind === 'none') return null;
      const text = await readBody(outcome.response);
      return text === undefined ? null : { status: outcome.response.statusCode ?? 500, body: parsed(text) };
    } finally {
      cancel();
    }
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    // Not from our daemon: it fails the schema, with its sentence.
    return undefined;
  }
}

function faultOf(status: number, body: unknown): Fault {
  const read = errorBodySchema.safeParse(body);
  if (read.success) return { status, ...read.data.error };
  return {
    status,
    code: 'http',
    message: `The daemon answered with status ${status}.`,
    next: 'Look with: kairos daemon logs',
  };
}
