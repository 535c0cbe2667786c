import { rm } from 'node:fs/promises';
import { writeJsonAtomic } from '../node/atomic-file.ts';
import type { Home } from '../node/home.ts';
import { ownStartTime } from '../node/process-table.ts';
import type { Store } from './events/port.ts';

/** What `daemon.json` tells; `safe`: why it runs in safe mode, null when it does not. */
export interface DaemonFileInput {
  readonly home: Home;
  readonly version: string;
  readonly token: string;
  readonly port: number;
  readonly url: string;
  readonly safe: string | null;
}

/** Address of the bridge for people and programs. */
export function bridgeUrl(host: string, port: number): string {
  return `http://${host === '::1' ? '[::1]' : host}:${port}`;
}

/** Writes `daemon.json`: how programs of the same user find and enter the bridge. */
export async function writeDaemonFile({
  home,
  version,
  token,
  port,
  url,
  safe,
}: DaemonFileInput): Promise<void> {
  const startTime = await ownStartTime();
  const content = {
    pid: process.pid,
    startTime,
    port,
    url,
    token,
    version,
    supervisorPid: process.ppid,
    safe,
  };
  await writeJsonAtomic(home.daemonFile, content);
}

/** After an orderly stop nobody is to be found, and the token of the run is gone with it. */
export async function removeDaemonFile({ daemonFile }: Home): Promise<void> {
  await rm(daemonFile, { force: true });
}

const portKey = 'bridge_port';

/** Port of the last run, so that the window's address stays the same; null on a first start. */
export async function rememberedPort(store: Store): Promise<number | null> {
  const port = Number(await store.meta(portKey));
  return Number.isInteger(port) && port > 0 ? port : null;
}

/** Keeps the port for the next run. */
export function rememberPort(store: Store, port: number): Promise<void> {
  return store.setMeta(portKey, String(port));
}
