import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { assertNever } from '../../../../shared/base/assert-never.ts';
import { KairosError, errorMessage } from '../../../../shared/base/errors.ts';
import type { Log } from '../../../../shared/base/ports.ts';
import { safeModeWords } from '../../../../shared/protocol/safe-mode.ts';
import { allows, type Principal } from '../access/principal.ts';
import { bearerToken, type Refusal } from '../checks/request-checks.ts';
import { type Answer, errorAnswer, notAllowed, refusalBody } from './answers.ts';
import { readJsonBody } from './body.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Route } from './route.ts';

/** The ports of the connection a request came over, as the daemon sees them. */
export interface PeerPorts {
  readonly remotePort: number;
  readonly localPort: number;
}

/** Tells whether the process at the other end may decide things, or why not. */
export type PeerCheck = (
  ports: PeerPorts,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;

/** Who asks, whether they may, and where failures are told. */
export interface PipelineOptions {
  readonly log: Log;
  readonly peerCheck: PeerCheck;
  /** Why the daemon is in safe mode, where no stored data can be read. */
  readonly safe?: string | null;
  /** Whose token this is, or null. */
  identify(token: string): Principal | null;
  /** Where long answers are noted, to be cut off when their asker is signed out. */
  readonly streams: Pick<OpenStreams, 'add'>;
  /** Counts a failed sign-in; true when this remote failed too often. */
  fail(remote: string): boolean;
}

/** Runs a request whose head was checked: token, scope, body, peer, then the route itself. Never rejects. */
export type Pipeline = (
  route: Route,
  request: Request,
  incoming: IncomingMessage,
  params: Readonly<Record<string, string>>,
) => Promise<Response>;

const nobody: Principal = { device: null, scopes: new Set() };

/** The steps of every request of this bridge. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { log } = options;
  return async (route, request, incoming, params) => {
    try {
      const signedIn = signIn(options, route, incoming);
      if ('status' in signedIn) return refusalResponse(signedIn);
      if (signedIn !== nobody) checkScope(route, signedIn);
      requireStore(options.safe ?? null, route);
      const run = route.prepare(route.takes === 'json' ? await readJsonBody(request) : undefined);
      if (route.method !== 'GET') await checkPeer(options, route, incoming);
      // A body may come slowly: who was signed out meanwhile does nothing any more.
      if (signedIn !== nobody && !isStillValid(options, incoming)) return refusalResponse(noToken);
      const query = new URL(request.url).searchParams;
      const content = route.takes === 'bytes' ? bytesOf(options, request, incoming) : nothing();
      const answer = await run({ who: signedIn, params, query, content });
      if (answer.kind === 'stream') options.streams.add(signedIn.device?.id ?? null, answer.stream);
      return respond(answer);
    } catch (error) {
      const { status, body, fault } = errorAnswer(error);
      // A refused ticket is a failed sign-in like a refused token.
      if (route.scope === 'ticket' && status === 403 && options.fail(remoteOf(incoming))) {
        return refusalResponse(tooManyFailures);
      }
      // The route's pattern, never the path itself: a path can hold what somebody typed.
      if (fault) log.error({ route: route.path, reason: errorMessage(error) }, 'a request failed');
      return jsonResponse(JSON.stringify(body), status);
    }
  };
}

/** The bytes of a request; who is signed out while they come sends no more of them. */
async function* bytesOf(
  options: PipelineOptions,
  request: Request,
  incoming: IncomingMessage,
): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    if (!isStillValid(options, incoming)) throw notAllowed(noToken.message, noToken.next);
    yield chunk;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** What works without the store. */
const storeless = new Set([
  '/health',
  '/status',
  '/home',
  '/doctor',
  '/daemon/stop',
  '/tickets',
  '/tickets/redeem',
]);

/** In safe mode the store is not opened: to answer "nothing there" would be a lie. */
function requireStore(safe: string | null, route: Route): void {
  if (safe === null || storeless.has(route.path)) return;
  const { why, next } = safeModeWords(safe);
  throw new KairosError('safe_mode', `Kairos is in safe mode and reads nothing that is stored: ${why}`, {
    next,
  });
}

function signIn(options: PipelineOptions, route: Route, incoming: IncomingMessage): Principal | Refusal {
  if (route.scope === 'open' || route.scope === 'ticket') return nobody;
  const token = bearerToken(incoming.headers.authorization);
  const who = token === undefined ? null : options.identify(token);
  if (who !== null) return who;
  return options.fail(remoteOf(incoming)) ? tooManyFailures : noToken;
}

function isStillValid({ identify }: PipelineOptions, incoming: IncomingMessage): boolean {
  const token = bearerToken(incoming.headers.authorization);
  return token !== undefined && identify(token) !== null;
}

function remoteOf(incoming: IncomingMessage): string {
  return incoming.socket.remoteAddress ?? '';
}

const noToken: Refusal = {
  status: 401,
  code: 'unauthorized',
  message: 'A valid token is needed.',
  next: 'Programs of this user find it in daemon.json; others need to be paired.',
};
const tooManyFailures: Refusal = { ...noToken, status: 429, code: 'too_many_failures' };

function checkScope(route: Route, who: Principal): void {
  const { scope } = route;
  if (scope === 'open' || scope === 'ticket' || allows(who, scope)) return;
  const message =
    scope === 'owner' ? 'Only the owner may do this.' : `This device has not the scope "${scope}".`;
  throw notAllowed(message, 'Do it in the window or with the CLI on the machine itself.');
}

/** Connections whose other end may decide: looked up once, a connection does not change hands. */
const cleared = new WeakSet<Socket>();

/** Whatever changes something is refused when the process at the other end belongs to an agent (design 30). */
async function checkPeer(
  { peerCheck, log }: PipelineOptions,
  route: Route,
  incoming: IncomingMessage,
): Promise<void> {
  const { socket } = incoming;
  if (cleared.has(socket)) return;
  const { remotePort = 0, localPort = 0 } = socket;
  const verdict = await peerCheck({ remotePort, localPort }).catch((error: unknown) => {
    log.error({ reason: errorMessage(error) }, 'the asking process could not be told');
    return { ok: false, reason: 'the asking process could not be told' } as const;
  });
  if (verdict.ok) {
    cleared.add(socket);
    return;
  }
  log.warn({ route: route.path, reason: verdict.reason }, 'refused: asked by a process that may not decide');
  const next = 'A person has to do it, outside of what Kairos runs.';
  throw new KairosError(
    'not_allowed',
    `This may not be asked from here: ${verdict.reason.replace(/\.$/, '')}.`,
    { next },
  );
}

function respond(answer: Answer): Response {
  switch (answer.kind) {
    case 'value':
      return jsonResponse(JSON.stringify(answer.value), answer.status);
    case 'json':
      return jsonResponse(answer.json, 200);
    case 'stream': {
      const body = Readable.toWeb(answer.stream) as ReadableStream<Uint8Array>;
      const saved: Record<string, string> =
        answer.file === true ? { 'content-disposition': 'attachment' } : {};
      return new Response(body, {
        headers: { 'content-type': answer.type, 'cache-control': 'no-store', ...saved },
      });
    }
    default:
      return assertNever(answer, 'answer');
  }
}

/** A JSON answer that nothing keeps. */
export function jsonResponse(json: string, status: number): Response {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(json, { status, headers });
}

/** The answer to a refused request. */
export function refusalResponse(refusal: Refusal): Response {
  return jsonResponse(JSON.stringify(refusalBody(refusal)), refusal.status);
}
