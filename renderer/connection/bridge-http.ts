import type * as z from 'zod/mini';
import { errorBodySchema } from '../../shared/protocol/bridge.ts';
import type { Asked, Fault } from '../../shared/viewing/fault.ts';

/** Longest wait for an answer, ms. */
const patienceMs = 20_000;
/** The same for a file on its way up (behaviour 5). */
const uploadMs = 30_000;

/** One request below `/api/v1`. */
export interface BridgeRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Bytes that are sent as they are, instead of `body`. */
  readonly bytes?: Blob;
}

/** The bridge over HTTP, with the window's token in memory. */
export interface BridgeHttp {
  /** From now on every request carries this token. */
  signIn(token: string): void;
  /** Never rejects; an answer that does not fit `schema` is a fault too. */
  ask<Value>(request: BridgeRequest, schema: z.ZodMiniType<Value>): Promise<Asked<Value>>;
  /** The bytes at a path. Never rejects. */
  load(path: string): Promise<Asked<Blob>>;
}

/** Requests go to the page's own origin. The token is kept in this closure alone: a reload forgets it (design 34). */
export function createBridgeHttp(fetcher: typeof fetch): BridgeHttp {
  let token: string | null = null;
  return {
    signIn: (given) => {
      token = given;
    },
    async ask(request, schema) {
      try {
        const response = await fetcher(`/api/v1${request.path}`, initOf(request, token));
        const body: unknown = await response.json().catch(() => null);
        if (!response.ok) return { ok: false, fault: faultOf(response.status, body) };
        const read = schema.safeParse(body);
        return read.success ? { ok: true, value: read.data } : { ok: false, fault: unreadable };
      } catch (error) {
        return { ok: false, fault: unreached(error) };
      }
    },
    async load(path) {
      try {
        const response = await fetcher(`/api/v1${path}`, initOf({ path }, token));
        if (response.ok) return { ok: true, value: await response.blob() };
        return { ok: false, fault: faultOf(response.status, await response.json().catch(() => null)) };
      } catch (error) {
        return { ok: false, fault: unreached(error) };
      }
    },
  };
}

function initOf({ method, body, bytes }: BridgeRequest, token: string | null): RequestInit {
  const signed: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const json = body === undefined ? null : JSON.stringify(body);
  const type = bytes !== undefined ? 'application/octet-stream' : json === null ? null : 'application/json';
  return {
    method: method ?? (type === null ? 'GET' : 'POST'),
    headers: type === null ? signed : { ...signed, 'content-type': type },
    body: bytes ?? json,
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(bytes === undefined ? patienceMs : uploadMs),
  };
}

function faultOf(status: number, body: unknown): Fault {
  const read = errorBodySchema.safeParse(body);
  if (read.success) return { status, ...read.data.error };
  return { status, code: 'http', message: `The daemon answered ${status}.`, next: '' };
}

const unreadable: Fault = {
  status: 500,
  code: 'unreadable',
  message: 'The daemon answered in a form that this window does not know.',
  next: '',
};

function unreached(error: unknown): Fault {
  const message = error instanceof Error ? error.message : 'no answer';
  return { status: 0, code: 'unreached', message, next: '' };
}
