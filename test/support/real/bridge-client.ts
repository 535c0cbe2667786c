import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What `daemon.json` says that a client needs. */
export interface DaemonAddress {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  readonly token: string;
}

/** An answer of the bridge; `body` is parsed JSON, or the text where it is none. */
export interface BridgeAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly ms: number;
}

export interface BridgeCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1. */
  readonly path: string;
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** null: none. Default: the one of `daemon.json`. */
  readonly token?: string | null;
}

/** The bridge of one home over HTTP, with its owner's token; knows nothing but `daemon.json`. */
export class BridgeClient {
  readonly #home: string;
  readonly #agent: Agent;

  constructor(home: string, connections = 8) {
    this.#home = home;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Where the daemon says it is. Throws while the file is missing or being written. */
  address(): DaemonAddress {
    return JSON.parse(readFileSync(join(this.#home, 'daemon.json'), 'utf8')) as DaemonAddress;
  }

  /** One request; rejects when the connection fails. */
  call(call: BridgeCall): Promise<BridgeAnswer> {
    const began = performance.now();
    const { url, token: own } = this.address();
    const token = call.token === undefined ? own : call.token;
    const payload = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(`/api/v1${call.path}`, url),
        {
          method: call.method ?? (payload === undefined ? 'GET' : 'POST'),
          agent: this.#agent,
          headers: {
            // Programs that change something say where they think they are; pages of others cannot.
            origin: new URL(url).origin,
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(payload === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
            ...call.headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: response.statusCode ?? 0, body: parse(text), ms: performance.now() - began });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.setTimeout(20_000, () => outgoing.destroy(new Error('no answer within 20 s')));
      outgoing.end(payload);
    });
  }

  /** The body of a call that must succeed; rejects with what the bridge said. */
  async get<Body>(call: BridgeCall | string): Promise<Body> {
    const { status, body } = await this.call(typeof call === 'string' ? { path: call } : call);
    if (status >= 400 || status === 0) throw new BridgeRefusal(status, body);
    return body as Body;
  }

  /** The same, tried again while nobody answers: for calls that may be repeated. `alive` false ends it. */
  async insist<Body>(call: BridgeCall | string, withinMs = 30_000, signal?: AbortSignal): Promise<Body> {
    const until = performance.now() + withinMs;
    for (;;) {
      try {
        return await this.get<Body>(call);
      } catch (error) {
        const passing = !(error instanceof BridgeRefusal) || [401, 429, 500, 503].includes(error.status);
        if (!passing || performance.now() >= until || signal?.aborted) throw error;
      }
      await delay(20);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The bridge answered, and the answer is no. */
export class BridgeRefusal extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`the bridge answered ${status}: ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
