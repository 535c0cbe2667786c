import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, KairosError } from '../../../shared/base/errors.ts';
import type { Ids } from '../../../shared/base/ports.ts';
import { attachmentLimits } from '../../../shared/domain/attachments.ts';
import type { TakenFile } from '../../../shared/protocol/window-views.ts';
import type { Store } from '../events/port.ts';

/** What taking a file works with. `scratch` makes the session's folder, the one part of the home that its tools may read. */
export interface TakePorts {
  readonly store: Pick<Store, 'putFile'>;
  readonly ids: Ids;
  scratch(session: string): Promise<string>;
}

/** Characters of the hash in front of a name: two files of one name stay apart, the same file is there once. */
const hashPart = 12;

/** Stores a file that a person sends: as a blob, and under its name in the session's inbox. The name was checked before. */
export async function takeFile(
  ports: TakePorts,
  sent: { readonly session: string; readonly name: string; readonly content: AsyncIterable<Uint8Array> },
): Promise<TakenFile> {
  const folder = await inbox(ports, sent.session);
  const part = join(folder, `.part-${ports.ids.random(8)}`);
  try {
    const { hash, bytes } = await write(part, sent.content);
    const path = join(folder, `${hash.slice(0, hashPart)}-${sent.name}`);
    await rename(part, path);
    await ports.store.putFile(path, attachmentLimits.bytes);
    return { path, hash, name: sent.name, bytes };
  } catch (error) {
    await rm(part, { force: true });
    throw fault(error);
  }
}

/** A real folder of ours: a link that something put in its place would lead the file elsewhere. */
async function inbox({ scratch }: TakePorts, session: string): Promise<string> {
  const folder = join(await realpath(await scratch(session)), 'inbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (stats.isDirectory() && (await realpath(folder)) === folder) return folder;
  throw new KairosError('bad_file', 'The inbox of this session is not a folder of Kairos.', {
    next: `Remove what is at ${folder} and send the file again.`,
  });
}

async function write(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ hash: string; bytes: number }> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  try {
    return await pour(file, content);
  } finally {
    await file.close();
  }
}

async function pour(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
): Promise<{ hash: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > attachmentLimits.bytes) throw tooLarge();
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  if (bytes === 0)
    throw new KairosError('bad_input', 'The file is empty.', { next: 'Send one with content.' });
  await file.sync();
  return { hash: hash.digest('hex'), bytes };
}

function tooLarge(): KairosError {
  const most = attachmentLimits.bytes / 1024 / 1024;
  return new KairosError('too_large', `The file is larger than ${most} MB.`, {
    next: 'Put it into the directory of the session and name its path.',
  });
}

function fault(error: unknown): unknown {
  if (errorCode(error) !== 'ENOSPC') return error;
  return new KairosError('disk_full', 'The disk is full: the file was not stored.', {
    next: 'Make room and send it again.',
    cause: error,
  });
}
