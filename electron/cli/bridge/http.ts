import type { IncomingMessage } from 'node:http';
import { errorCode } from '../../../shared/base/errors.ts';
import type { DaemonFile } from '../../../shared/protocol/bridge.ts';

/** One request to the bridge. `path` is below `/api/v1`, with its query. */
export interface BridgeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** True when sending it twice does what sending it once does. */
  readonly repeatable: boolean;
}

/** Why no answer came: `refused` = nothing was sent, `lost` = it may have been heard, `silent` = no answer in time. */
export type NoAnswer = 'refused' | 'lost' | 'silent';

/** What became of one request: a response whose head is there, or why there is none. */
export type HttpOutcome =
  | { readonly kind: 'answer'; readonly response: IncomingMessage }
  | { readonly kind: 'none'; readonly why: NoAnswer };

function whyNoAnswer(error: unknown): NoAnswer {
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return 'refused';
    case 'ABORT_ERR':
      return 'silent';
    default:
      return 'lost';
  }
}

/** Not an import: an ESM import of node:http reads its WebSocket getter, which loads undici (40 ms, 14 MB; measured, Node 24). */
const { request: startRequest } = process.getBuiltinModule('node:http');

/** Sends one request and resolves with the response once its head is there. Never rejects. */
export function sendRequest(
  daemon: DaemonFile,
  request: BridgeRequest,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  return new Promise((resolve) => {
    const outgoing = startRequest(new URL(`/api/v1${request.path}`, daemon.url), {
      method: request.method,
      // One command is one or two requests: a kept connection would only keep the process from ending.
      agent: false,
      signal,
      headers: {
        authorization: `Bearer ${daemon.token}`,
        // The bridge takes no request that changes something from a place it does not know.
        origin: new URL(daemon.url).origin,
        connection: 'close',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    });
    outgoing.on('response', (response) => resolve({ kind: 'answer', response }));
    outgoing.on('error', (error) => resolve({ kind: 'none', why: whyNoAnswer(error) }));
    outgoing.end(body);
  });
}

/** The whole text of a response, or undefined when the connection broke in the middle. */
export async function readBody(response: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    // The connection broke inside the answer; the caller says so.
    return undefined;
  }
  return response.complete ? Buffer.concat(chunks).toString('utf8') : undefined;
}
