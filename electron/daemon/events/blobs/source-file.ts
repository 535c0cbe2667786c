import { constants, open, type FileHandle } from 'node:fs/promises';
import { errorCode, KairosError } from '../../../../shared/base/errors.ts';
import { isOpenedAt } from '../../../node/opened-path.ts';

/** An open file that can be read whole. */
export interface SourceFile {
  readonly bytes: number;
  /** Its content in order, never more than the limit; rejects with `bad_file` when it grows beyond that while it is read. */
  chunks(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a plain file (real path) for reading, through no link and without waiting; rejects with `bad_file`, to follow its path. */
export async function openSource(path: string, mostBytes: number): Promise<SourceFile> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw badFile(problem(errorCode(error)), error);
    },
  );
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw badFile('is not a file');
    if (!(await isOpenedAt(file, path))) throw badFile('leads somewhere else now');
    if (stats.size > mostBytes) throw badFile(tooLarge(mostBytes));
    return { bytes: stats.size, chunks: () => chunksOf(file, mostBytes), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* chunksOf(file: FileHandle, mostBytes: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for (;;) {
    const { bytesRead, buffer } = await file
      .read(Buffer.allocUnsafe(256 * 1024), 0)
      .catch((error: unknown) => {
        throw badFile(problem(errorCode(error)), error);
      });
    if (bytesRead === 0) return;
    read += bytesRead;
    if (read > mostBytes) throw badFile(tooLarge(mostBytes));
    yield buffer.subarray(0, bytesRead);
  }
}

function tooLarge(mostBytes: number): string {
  return `is larger than ${Math.floor(mostBytes / 1024 / 1024)} MB`;
}

function problem(code: string): string {
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read';
    case 'ELOOP':
      return 'has become a link';
    default:
      return `could not be read (${code})`;
  }
}

function badFile(message: string, cause?: unknown): KairosError {
  return new KairosError('bad_file', message, { cause });
}
