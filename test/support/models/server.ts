import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Ask } from './ask.ts';
import { type Outcome, play, sendPlain } from './play.ts';
import type { Script } from './script.ts';
import { type RequestLog, type SeenRequest, createRequestLog } from './seen.ts';
import type { Ground, Problem, Wire } from './wire.ts';

/** Decides an answer from a valid request. */
export type Answer = (ask: Ask, request: SeenRequest) => Script | Promise<Script>;

/** A running stand-in. */
export interface ModelServer {
  readonly wire: Wire['name'];
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** `url` + `/v1`, what clients of both wires take as their base. */
  readonly baseUrl: string;
  readonly port: number;
  /** The key that it takes; undefined = none is asked for. */
  readonly apiKey: string | undefined;
  /** Chat requests, refused ones too. */
  readonly requests: readonly SeenRequest[];
  /** Other requests: lists of models, unknown paths. */
  readonly probes: readonly SeenRequest[];
  /** Refused requests, requests without an answer and scripts that could not be played: [] in a healthy test. */
  readonly complaints: readonly string[];
  /** The next chat request; each is given once. */
  nextRequest(): Promise<SeenRequest>;
  /** These scripts answer the next requests, before `answerWith`. */
  enqueue(...scripts: readonly Script[]): void;
  answerWith(answer: Answer): void;
  forgetCache(): void;
  /** Breaks every connection and frees the port. */
  close(): Promise<void>;
}

/** What a server is made of. */
export interface ServerParts {
  readonly wire: Wire;
  readonly ground: Ground;
  readonly port: number;
  readonly maxBodyBytes: number;
}

interface State extends ServerParts {
  readonly chats: RequestLog;
  readonly probes: RequestLog;
  readonly complaints: string[];
  readonly queue: Script[];
  answer: Answer | undefined;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    // Not JSON: the check of the body says so to the client.
    return undefined;
  }
}

function problemOf(state: State, { headers, rawBody, body }: SeenRequest): Problem | undefined {
  if (rawBody.length > state.maxBodyBytes) {
    return { status: 413, message: 'Request exceeds the maximum allowed number of bytes.' };
  }
  if (!headers['content-type']?.startsWith('application/json')) {
    return { status: 400, message: 'content-type: must be application/json' };
  }
  return state.wire.check(headers, body, state.ground);
}

async function scriptFor(state: State, ask: Ask, seen: SeenRequest): Promise<Script> {
  const script = state.queue.shift() ?? (await state.answer?.(ask, seen));
  if (script === undefined) throw new Error(`no answer is left for request ${seen.number}`);
  return script;
}

async function chat(state: State, base: SeenRequest, response: ServerResponse): Promise<void> {
  const { wire, complaints } = state;
  const problem = problemOf(state, base);
  const ask = problem === undefined ? wire.read(base.body) : undefined;
  const tally = problem === undefined ? wire.tally(base.body) : undefined;
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
  const prompt = tally && { input: tally.input, cacheRead: tally.cacheRead, cacheWrite: tally.cacheWrite };
  const seen: SeenRequest = { ...base, ask, problem: problem?.message, prompt, outcome };
  state.chats.add(seen);
  const refuse = (refusal: Problem): void => {
    complaints.push(`request ${seen.number}: ${refusal.status} ${refusal.message}`);
    if (!response.headersSent && !response.destroyed) sendPlain(response, wire.refuse(refusal));
    resolve('refused');
  };
  if (problem !== undefined) return refuse(problem);
  if (ask === undefined || tally === undefined) return;
  try {
    const script = await scriptFor(state, ask, seen);
    const part = { encoder: wire.encoder(ask, base.body), tally, maxTokens: ask.maxTokens };
    resolve(await play(script, { wire, part, response }));
  } catch (error) {
    // A 400, so that no client tries again what the test did not foresee.
    refuse({ status: 400, message: `stand-in: ${error instanceof Error ? error.message : String(error)}` });
  }
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const rawBody = await bytesOf(request);
  const isChat = request.method === 'POST' && path === state.wire.chatPath;
  const log = isChat ? state.chats : state.probes;
  const base: SeenRequest = {
    number: log.all.length + 1,
    at: Date.now(),
    method: request.method ?? '',
    path,
    headers: request.headers,
    rawBody,
    body: parsed(rawBody),
    ask: undefined,
    problem: undefined,
    prompt: undefined,
    outcome: Promise.resolve('answered'),
  };
  if (isChat) return chat(state, base, response);
  log.add(base);
  const { wire, ground } = state;
  const answer =
    request.method === 'GET'
      ? wire.get(path, request.headers, ground)
      : wire.refuse({ status: 404, message: `Not found: ${request.method} ${path}` });
  sendPlain(response, answer);
}

/** Listens on the loopback; `port` 0 takes a free one. */
export async function listen(parts: ServerParts): Promise<ModelServer> {
  const state: State = {
    ...parts,
    chats: createRequestLog(),
    probes: createRequestLog(),
    complaints: [],
    queue: [],
    answer: undefined,
  };
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    // Only a client that leaves while it sends its body gets here; there is nobody to answer.
    handle(state, request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(parts.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    wire: parts.wire.name,
    url: `http://127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    apiKey: parts.ground.apiKey,
    requests: state.chats.all,
    probes: state.probes.all,
    complaints: state.complaints,
    nextRequest: state.chats.next,
    enqueue: (...scripts) => void state.queue.push(...scripts),
    answerWith: (answer) => {
      state.answer = answer;
    },
    forgetCache: parts.wire.forgetCache,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
