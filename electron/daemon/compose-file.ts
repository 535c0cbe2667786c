import { daemonFileSchema } from '../../shared/protocol/bridge.ts';
import { writeJsonAtomic } from '../node/atomic-file.ts';
import type { Home } from '../node/home.ts';
import { readJsonFile } from '../node/json-file.ts';
import { ownStartTime } from '../node/process-table.ts';

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

/** Port of the last run, so that the window's address stays the same; null on a first start. */
export async function rememberedPort(home: Home): Promise<number | null> {
  try {
    return (await readJsonFile(home.daemonFile, daemonFileSchema)).port;
  } catch {
    // Absent or broken: any free port will do, and the file is written anew.
    return null;
  }
}
