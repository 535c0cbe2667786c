import { existsSync, readFileSync } from 'node:fs';
import type { ExportedEvent, Kairos } from '../../support/real/kairos.ts';
import type { Evidence, PlatformCopy } from './evidence.ts';
import type { PatientClient } from './client.ts';

function lines(path: string): string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Reads everything that the oracle judges; the daemon must run. `ledger` and `platform` are paths of files. */
export async function gather(
  kairos: Kairos,
  client: PatientClient,
  ledger: string,
  platform: string,
): Promise<Evidence> {
  const logs = new Map<string, readonly ExportedEvent[]>();
  for (const { id } of await kairos.sessions()) logs.set(id, await kairos.exported(id));
  return {
    logs,
    acknowledged: client.acknowledged,
    accepted: client.accepted,
    ledger: lines(ledger),
    platform: lines(platform).map((line) => JSON.parse(line) as PlatformCopy),
  };
}
