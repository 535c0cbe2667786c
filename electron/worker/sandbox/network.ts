import { closeSync, constants, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KairosError } from '../../../shared/base/errors.ts';
import type { Ids } from '../../../shared/base/ports.ts';
import type { SandboxConfig } from '../../../shared/domain/sandbox.ts';
import { systemResolve } from '../tools/web/public-address.ts';
import { type NetworkWay, proxyPort } from './bubblewrap.ts';

/** The way to the network of one command, while it runs. */
export interface OpenNetwork {
  readonly way: NetworkWay;
  /** Ends it; what it refused, one clause for the model each. */
  close(): Promise<readonly string[]>;
}

/** How the names of sockets begin. */
export const socketPrefix = 'proxy-';

/** More refusals than these are counted only. */
const mostTold = 5;

interface NetworkPorts {
  readonly config: Pick<SandboxConfig, 'allow' | 'deny'>;
  readonly socat: string | null;
  /** Folder for the socket. */
  readonly folder: string;
  readonly home: string;
  readonly ids: Ids;
}

/** A proxy of the command's own, loaded when a command needs one; null: no host is allowed. Throws KairosError `no_sandbox`. */
export async function openNetwork({
  config,
  socat,
  folder,
  home,
  ids,
}: NetworkPorts): Promise<OpenNetwork | null> {
  if (config.allow.length === 0) return null;
  if (socat === null)
    throw new KairosError('no_sandbox', 'The sandbox needs socat for its network, which is not installed.', {
      next: 'Install it: apt-get install socat; or take the hosts out of sandbox.network.allow.',
    });
  const { startProxy } = await import('./proxy/proxy.ts');
  const refused = new Set<string>();
  const name = `${socketPrefix}${ids.random(8)}`;
  const folderFd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    // A socket's address has 108 bytes at most, the folder's path may be longer.
    const proxy = await startProxy(join(folder, name), `/proc/self/fd/${folderFd}/${name}`, {
      rules: config,
      resolve: systemResolve,
      forbiddenPorts: () => bridgePort(home),
      refused: (why) => refused.add(why),
    });
    return {
      way: { socket: join(folder, name), socat, ports: ownPorts(config.allow) },
      async close() {
        await proxy.close();
        return told([...refused]);
      },
    };
  } finally {
    closeSync(folderFd);
  }
}

/** The way to the network of one command on a system where loopback is the machine's own. */
export interface OpenLoopback {
  /** Where the proxy listens. */
  readonly proxyPort: number;
  /** Ports of this machine that may be reached besides: those that settings name, Kairos's own never. */
  readonly ports: readonly number[];
  /** Ends it; what it refused, one clause for the model each. */
  close(): Promise<readonly string[]>;
}

/** A proxy of the command's own on a free port of 127.0.0.1; null: no host is allowed. */
export async function openLoopback(
  config: Pick<SandboxConfig, 'allow' | 'deny'>,
  home: string,
): Promise<OpenLoopback | null> {
  if (config.allow.length === 0) return null;
  const { startLoopbackProxy } = await import('./proxy/proxy.ts');
  const refused = new Set<string>();
  const forbidden = await bridgePort(home);
  const proxy = await startLoopbackProxy({
    rules: config,
    resolve: systemResolve,
    forbiddenPorts: () => bridgePort(home),
    refused: (why) => refused.add(why),
  });
  return {
    proxyPort: proxy.port,
    ports: ownPorts(config.allow).filter((port) => !forbidden.includes(port)),
    async close() {
      await proxy.close();
      return told([...refused]);
    },
  };
}

/** `localhost:8080` and its like. */
function ownPorts(allow: readonly string[]): readonly number[] {
  const found = allow.flatMap(
    (text) => /^(?:localhost|127\.0\.0\.1|\[::1\]):(\d{1,5})$/.exec(text.trim())?.[1] ?? [],
  );
  return [...new Set(found.map(Number))].filter((port) => port > 0 && port <= 65_535 && port !== proxyPort);
}

function told(refused: readonly string[]): readonly string[] {
  const more = refused.length - mostTold;
  const shown = refused.slice(0, mostTold).map((why) => `the sandbox refused: ${why}`);
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

/** As the daemon tells it now: it may have another after a restart. */
async function bridgePort(home: string): Promise<readonly number[]> {
  const text = await readFile(join(home, 'daemon.json'), 'utf8').catch(() => '{}');
  const port = Number((JSON.parse(text) as { port?: unknown }).port);
  return Number.isInteger(port) ? [port] : [];
}
