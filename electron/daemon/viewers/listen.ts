import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KairosError } from '../../../shared/base/errors.ts';

/** Where to listen. `port` 0: `remembered` if it is free, else any. */
export interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly remembered: number | null;
}

/** `notice`: the port that was asked for is taken and another one serves. */
export interface Listening {
  readonly port: number;
  readonly notice: string | null;
}

/** The only addresses this version serves: any other would need TLS and pairing. */
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);

/** Binds the server; rejects with `bad_bind` for a host that is not loopback and with Node's error when no port can be had. */
export async function listenOn(
  server: Server,
  { host, port, remembered }: ListenSettings,
): Promise<Listening> {
  if (!loopback.has(host)) {
    throw new KairosError(
      'bad_bind',
      'The bridge serves 127.0.0.1 or ::1 only; another address needs TLS and pairing.',
      {
        next: 'Set bridge.host to 127.0.0.1, and bridge.publicOrigin to the address of your own proxy.',
      },
    );
  }
  const wanted = port === 0 ? (remembered ?? 0) : port;
  if (await bind(server, host, wanted)) return { port: boundPort(server), notice: null };
  await bind(server, host, 0);
  const free = boundPort(server);
  const notice = port === 0 ? null : `Port ${port} is taken by another program; ${free} is used instead.`;
  return { port: free, notice };
}

const unusable = new Set(['EADDRINUSE', 'EACCES']);

/** False when the port is taken or needs rights we lack. */
function bind(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', listening);
      if (port !== 0 && unusable.has(error.code ?? '')) resolve(false);
      else reject(error);
    };
    const listening = (): void => {
      server.off('error', failed);
      resolve(true);
    };
    server.once('error', failed);
    server.once('listening', listening);
    server.listen({ port, host });
  });
}

function boundPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}
