import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Peer, PeerPlace } from './peer.ts';

const longestInstallMs = 300_000;

/** The environment of a peer: a home of its own, nothing of ours. */
export function peerEnvironment({ home }: PeerPlace): Record<string, string> {
  const path = `${dirname(process.execPath)}:${process.env.PATH ?? '/usr/bin:/bin'}`;
  return { PATH: path, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' };
}

/**
 * The folder that holds a peer below PEERS_DIR (or a temporary folder that stays), installed from npm when it is not there
 * yet. Rejects when it cannot be had.
 */
export async function peerFolder(peer: Peer): Promise<string> {
  const folder = join(process.env.PEERS_DIR ?? join(tmpdir(), 'kairos-bench-peers'), peer.name);
  if (existsSync(join(folder, 'node_modules/.bin', peer.name))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const args = ['install', peer.package, '--no-audit', '--no-fund', '--loglevel=error', ...patience];
  try {
    await promisify(execFile)('npm', args, { cwd: folder, timeout: longestInstallMs });
    return folder;
  } catch (error) {
    throw new Error(`npm cannot install ${peer.package} here`, { cause: error });
  }
}
