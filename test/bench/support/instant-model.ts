import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicWire } from '../../support/models/anthropic/wire.ts';
import { type Ask, lastResults, lastUserText } from '../../support/models/ask.ts';
import { openAiWire } from '../../support/models/openai/wire.ts';
import type { Encoder, Wire } from '../../support/models/wire.ts';

/** One model request that carried tools; times are monotonic ms of this process. */
export interface InstantRequest {
  /** Its whole body was here. */
  readonly at: number;
  readonly bytes: number;
  readonly body: string;
  readonly ask: Ask;
  /** The first piece of the answer was written. */
  readonly firstByte: Promise<number>;
  /** The last one was. */
  readonly lastByte: Promise<number>;
}

/** A loopback model that answers at once: what is measured against it is the client's own time. */
export interface InstantModel {
  readonly url: string;
  /** The next request with tools; each is given once. */
  next(): Promise<InstantRequest>;
  /** How many with tools came so far; those without are counted apart. */
  readonly counts: { readonly main: number; readonly side: number };
  /** Lets answers to `[[hold]]` go on after their first piece. */
  release(): void;
  close(): Promise<void>;
}

const usage = { input: 1_000, output: 10, cacheRead: 0, cacheWrite: 0 };
const shells = ['Bash', 'bash', 'exec', 'shell'];

const wires: readonly { readonly path: string; readonly wire: Wire }[] = [
  { path: '/messages', wire: anthropicWire({ minCacheTokens: 1024, signatureSeed: 'bench' }) },
  { path: '/chat/completions', wire: openAiWire({ minCacheTokens: 1024 }) },
];

/** `[[tool]]` in the newest text asks for one shell call, then the text follows. */
function* answer(ask: Ask, encoder: Encoder): Iterable<string> {
  yield* encoder.start(usage);
  const name = shells.find((shell) => ask.tools.includes(shell));
  if (name !== undefined && lastUserText(ask).includes('[[tool]]') && lastResults(ask).length === 0) {
    const input = { command: 'true', description: 'does nothing' };
    const call = { name, input, inputText: JSON.stringify(input), id: `call_${ask.turns.length}` };
    yield* encoder.calls([call], 1_000, false);
    yield* encoder.finish('calls', usage);
    return;
  }
  yield* encoder.text('pong', 2);
  yield* encoder.finish('stop', usage);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

class Model {
  readonly counts = { main: 0, side: 0 };
  readonly #ready: InstantRequest[] = [];
  readonly #waiting: ((request: InstantRequest) => void)[] = [];
  #release: () => void = () => undefined;

  next(): Promise<InstantRequest> {
    const ready = this.#ready.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    this.#release();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const body = await textOf(request);
    const at = performance.now();
    const wire = wires.find(({ path }) => request.method === 'POST' && pathname.endsWith(path))?.wire;
    if (wire === undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"bench-model"}]}');
      return;
    }
    const parsed: unknown = JSON.parse(body);
    const ask = wire.read(parsed);
    const [firstByte, lastByte] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const seen = { at, bytes: Buffer.byteLength(body), body, ask };
    this.#add({ ...seen, firstByte: firstByte.promise, lastByte: lastByte.promise });
    const encoder = wire.encoder(ask, parsed);
    response.writeHead(200, { 'content-type': encoder.contentType, 'cache-control': 'no-cache' });
    const holds = lastUserText(ask).includes('[[hold]]');
    for (const frame of answer(ask, encoder)) {
      response.write(frame);
      if (frame.includes('"po"')) {
        firstByte.resolve(performance.now());
        if (holds) await new Promise<void>((resolve) => (this.#release = resolve));
      }
    }
    response.end(() => undefined);
    lastByte.resolve(performance.now());
  }

  #add(request: InstantRequest): void {
    const isMain = request.ask.tools.length > 0;
    this.counts[isMain ? 'main' : 'side'] += 1;
    if (!isMain) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#ready.push(request);
    else waiting(request);
  }
}

/** Starts one that speaks both wires, on a free port of the loopback. */
export async function startInstantModel(): Promise<InstantModel> {
  const model = new Model();
  const server = createServer((request, response) => {
    // A client that leaves in the middle is measured as a turn that does not end.
    model.handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts: model.counts,
    next: () => model.next(),
    release: () => model.release(),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
