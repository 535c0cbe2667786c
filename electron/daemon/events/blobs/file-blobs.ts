import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, readdir, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KairosError, errorCode } from '../../../../shared/base/errors.ts';
import type { Clock } from '../../../../shared/base/ports.ts';
import { boundary } from '../../../node/boundary.ts';
import { type BlobEntry, type BlobStore, isBlobHash } from './blob-store.ts';
import { sha256 } from './hash.ts';
import { openSource, type SourceFile } from './source-file.ts';

/** A temporary file that is older was left by a process that died. */
const leftoverMs = 60 * 60 * 1000;

/** Content-addressed files `<dir>/<2 hex>/<hash>`; a file under its final name is complete and durable. */
export class FileBlobs implements BlobStore {
  readonly #dir: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #staged = new Map<string, string>();
  #temporaries = 0;

  constructor(dir: string, clock: Pick<Clock, 'now'>) {
    this.#dir = dir;
    this.#clock = clock;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const hash = sha256(bytes);
    const path = this.#path(hash);
    try {
      const now = this.#clock.now() / 1000;
      if (await utimes(path, now, now).then(() => true, isMissing)) return hash;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeWhole(this.#temporary(path), bytes, now, path);
      syncFolders(path, this.#dir);
      return hash;
    } catch (error) {
      throw blobFault(error);
    }
  }

  async putFile(path: string, mostBytes: number): Promise<{ hash: string; bytes: number }> {
    const source = await openSource(path, mostBytes);
    try {
      return await this.#copy(source);
    } catch (error) {
      throw blobFault(error);
    } finally {
      await source.close();
    }
  }

  /** Writes beside its final place while it is hashed: its name is known only at the end. */
  async #copy(source: SourceFile): Promise<{ hash: string; bytes: number }> {
    const now = this.#clock.now() / 1000;
    // In a folder of blobs, where leftovers are found and removed.
    const temporary = this.#temporary(this.#path('00file'));
    await mkdir(dirname(temporary), { recursive: true, mode: 0o700 });
    const { hash, bytes } = await writeHashed(temporary, source, now);
    const path = this.#path(hash);
    if (await utimes(path, now, now).then(() => true, isMissing)) await unlink(temporary);
    else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      boundary('blob.rename', 'before');
      await rename(temporary, path);
      boundary('blob.rename', 'after');
      syncFolders(path, this.#dir);
    }
    return { hash, bytes };
  }

  async get(hash: string): Promise<Uint8Array | null> {
    if (!isBlobHash(hash)) return null;
    const bytes = await readFile(this.#path(hash)).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw blobFault(error);
    });
    return bytes && requireWhole(hash, bytes);
  }

  /** Keeps a text in memory until `flush`; it can be read at once. */
  stage(text: string): string {
    const hash = sha256(text);
    this.#staged.set(hash, text);
    return hash;
  }

  read(hash: string): string {
    const staged = this.#staged.get(hash);
    if (staged !== undefined) return staged;
    return readBlobText(this.#dir, hash);
  }

  /** Makes the staged texts durable, before the commit that refers to them. */
  flush(): void {
    try {
      for (const [hash, text] of this.#staged) this.#write(hash, text);
    } catch (error) {
      throw blobFault(error);
    } finally {
      this.#staged.clear();
    }
  }

  /** Forgets what is staged: its transaction was undone. */
  forget(): void {
    this.#staged.clear();
  }

  #write(hash: string, text: string): void {
    const path = this.#path(hash);
    const now = this.#clock.now() / 1000;
    try {
      utimesSync(path, now, now);
      return;
    } catch (error) {
      isMissing(error);
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = this.#temporary(path);
    const file = openSync(temporary, 'wx', 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } catch (error) {
      unlinkSync(temporary);
      throw error;
    } finally {
      closeSync(file);
    }
    utimesSync(temporary, now, now);
    boundary('blob.rename', 'before');
    renameSync(temporary, path);
    boundary('blob.rename', 'after');
    syncFolders(path, this.#dir);
  }

  async list(): Promise<readonly BlobEntry[]> {
    const found: BlobEntry[] = [];
    for (const folder of await readdir(this.#dir)) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      for (const name of await readdir(join(this.#dir, folder))) {
        const path = join(this.#dir, folder, name);
        const at = await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => null,
        );
        if (at === null) continue;
        if (isBlobHash(name)) found.push({ hash: name, at });
        else if (at < this.#clock.now() - leftoverMs) await unlink(path);
      }
    }
    return found;
  }

  remove(hash: string, before: number, needed: () => boolean): boolean {
    const path = this.#path(hash);
    if (needed() || statSync(path).mtimeMs >= before) return false;
    unlinkSync(path);
    return true;
  }

  #path(hash: string): string {
    return join(this.#dir, hash.slice(0, 2), hash);
  }

  #temporary(path: string): string {
    this.#temporaries += 1;
    return `${path}.${process.pid}-${this.#temporaries}.tmp`;
  }
}

/** Writes and syncs a temporary file and gives it its name; leaves nothing behind when that fails. */
async function writeWhole(temporary: string, bytes: Uint8Array, now: number, path: string): Promise<void> {
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.utimes(now, now);
    await file.sync();
    boundary('blob.rename', 'before');
    await rename(temporary, path);
    boundary('blob.rename', 'after');
  } catch (error) {
    await unlink(temporary);
    throw error;
  } finally {
    await file.close();
  }
}

/** Copies a source to a new synced file; leaves nothing behind when that fails. */
async function writeHashed(
  path: string,
  source: SourceFile,
  now: number,
): Promise<{ hash: string; bytes: number }> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of source.chunks()) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.appendFile(chunk);
    }
    await file.utimes(now, now);
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
  return { hash: hash.digest('hex'), bytes };
}

/** Reads a staged text's file; throws KairosError `corrupt` when it is missing or damaged. */
export function readBlobText(dir: string, hash: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(dir, hash.slice(0, 2), hash));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw damaged(hash, 'is missing', error);
    throw blobFault(error);
  }
  return requireWhole(hash, bytes).toString('utf8');
}

function requireWhole<Bytes extends Uint8Array>(hash: string, bytes: Bytes): Bytes {
  if (sha256(bytes) !== hash) throw damaged(hash, 'is damaged');
  return bytes;
}

function damaged(hash: string, how: string, cause?: unknown): KairosError {
  return new KairosError('corrupt', `The stored file ${hash} ${how}.`, {
    cause,
    next: `Copy blobs/${hash.slice(0, 2)}/${hash} from a backup.`,
  });
}

/** False for a file that is not there; throws anything else. */
function isMissing(error: unknown): false {
  if (errorCode(error) === 'ENOENT') return false;
  throw error;
}

/** A new name is durable only when its folder is. */
function syncFolders(path: string, top: string): void {
  if (process.platform === 'win32') return;
  for (const folder of [dirname(path), top]) {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** The fault for people when a blob could not be written or read. */
function blobFault(error: unknown): KairosError {
  if (error instanceof KairosError) return error;
  const code = errorCode(error);
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return full
    ? new KairosError('disk_full', 'The disk is full: nothing was stored.', {
        cause: error,
        next: 'Free some space.',
      })
    : new KairosError('not_writable', `A stored file could not be written or read (${code}).`, {
        cause: error,
        next: 'Check the disk and the permissions of the state directory.',
      });
}
