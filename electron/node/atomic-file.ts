import writeFileAtomically from 'write-file-atomic';
import { KairosError, errorCode } from '../../shared/base/errors.ts';

/** A file could not be written or read; `code` says which. */
export type FileErrorCode =
  | 'file-not-written'
  | 'file-missing'
  | 'file-unreadable'
  | 'file-not-json'
  | 'file-wrong-shape';

/** A file that could not be written or does not hold what it should. */
export class FileError extends KairosError {
  declare readonly code: FileErrorCode;
  readonly path: string;

  constructor(
    code: FileErrorCode,
    path: string,
    message: string,
    options: { cause?: unknown; next?: string } = {},
  ) {
    super(code, message, options);
    this.name = 'FileError';
    this.path = path;
  }
}

/** Replaces a file in one step (temporary file, fsync, rename; mode 0600): readers see the old or the new content. Throws FileError. */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const data = typeof content === 'string' ? content : Buffer.from(content);
  try {
    await writeFileAtomically(path, data, { mode: 0o600, fsync: true });
  } catch (cause) {
    throw new FileError('file-not-written', path, `"${path}" could not be written (${errorCode(cause)}).`, {
      cause,
      next: 'Check free space on the disk and the permissions of the folder.',
    });
  }
}

/** Writes a value as indented JSON in one step, mode 0600. Throws FileError. */
export async function writeJsonAtomic(path: string, value: unknown): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(value, null, 2)}\n`);
}
