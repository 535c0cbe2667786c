import type { Socket } from 'node:net';
import { errorCode } from '../../../../shared/base/errors.ts';
import { connectAllowed, type ProxyTerms } from './connect.ts';
import { join } from './join.ts';

/** The first byte of every SOCKS 5 connection. */
export const socksVersion = 5;

/** Longest opening that makes sense: both greetings with a host name of 255 bytes. */
const longestOpening = 600;

const reply = (status: number): Buffer => Buffer.from([socksVersion, status, 0, 1, 0, 0, 0, 0, 0, 0]);

interface Wanted {
  readonly command: number;
  readonly host: string;
  readonly port: number;
}

/** SOCKS 5 (RFC 1928): no authentication, CONNECT only; what is refused gets status 2 (not allowed by ruleset). */
export async function serveSocks(socket: Socket, terms: ProxyTerms): Promise<void> {
  const reader = new Opening(socket);
  const [, methods = 0] = await reader.take(2);
  await reader.take(methods);
  socket.write(Buffer.from([socksVersion, 0]));
  const wanted = await readWanted(reader);
  if (wanted === null) return void socket.end(reply(8));
  if (wanted.command !== 1) return void socket.end(reply(7));
  try {
    const far = await connectAllowed(wanted.host, wanted.port, terms);
    socket.write(reply(0));
    reader.giveBack();
    join(socket, far);
  } catch (error) {
    socket.end(reply(errorCode(error) === 'refused' ? 2 : 4));
  }
}

/** null: a kind of address that is not known. */
async function readWanted(reader: Opening): Promise<Wanted | null> {
  const [, command = 0, , kind] = await reader.take(4);
  const host = await readHost(reader, kind);
  if (host === null) return null;
  const port = (await reader.take(2)).readUInt16BE(0);
  return { command, host, port };
}

async function readHost(reader: Opening, kind: number | undefined): Promise<string | null> {
  if (kind === 1) return [...(await reader.take(4))].join('.');
  if (kind === 3) return (await reader.take((await reader.take(1))[0] ?? 0)).toString('latin1');
  if (kind !== 4) return null;
  const bytes = await reader.take(16);
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

/** Reads an exact number of bytes at a time. */
class Opening {
  readonly #socket: Socket;
  #held = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Rejects when the connection ends before. */
  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count) {
      if (count > longestOpening) throw new Error('too long an opening');
      this.#held = Buffer.concat([this.#held, await this.#next()]);
    }
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  /** What was sent after the opening is for the far end. */
  giveBack(): void {
    if (this.#held.length > 0) this.#socket.unshift(this.#held);
  }

  #next(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const socket = this.#socket;
      const done = (): void => {
        socket.pause();
        socket.off('data', take);
        socket.off('close', lost);
        socket.off('end', lost);
      };
      const take = (chunk: Buffer): void => {
        done();
        resolve(chunk);
      };
      const lost = (): void => {
        done();
        reject(new Error('the connection ended in its opening'));
      };
      socket.on('data', take).on('close', lost).on('end', lost);
      socket.resume();
    });
  }
}
