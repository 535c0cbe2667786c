import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { errorCode } from '../../../shared/base/errors.ts';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';
import { isOpenedAt } from '../../node/opened-path.ts';

/** A settings file is small; more is refused unread. */
export const mostConfigBytes = 1024 * 1024;

/** What lies at a path: text, nothing, or something that is not read (`why` follows its name). */
export type ConfigText =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string };

/** What was read, and by which it is known to be the same: place, size and times of the file. */
interface Known {
  readonly stamp: string;
  readonly text: ConfigText;
}

const absent: ConfigText = { kind: 'absent' };

/** Reads small configuration files, each anew only when it changed; regular files alone, and none outside of `within`. */
export class ConfigReader {
  readonly #known = new Map<string, Known>();

  /** Never rejects. `within`: the real path of the folder that a link may not lead out of; null: links go anywhere. */
  async read(path: string, within: string | null): Promise<ConfigText> {
    try {
      return await this.#read(path, within);
    } catch (error) {
      const code = errorCode(error);
      this.#known.delete(path);
      return code === 'ENOENT' || code === 'ENOTDIR'
        ? absent
        : { kind: 'refused', why: `cannot be read (${code})` };
    }
  }

  async #read(path: string, within: string | null): Promise<ConfigText> {
    const link = await lstat(path);
    const real = await realpath(path).catch((error: unknown) => {
      if (link.isSymbolicLink() && errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (real === null) return { kind: 'refused', why: 'is a link that leads nowhere' };
    if (within !== null && !isInside(real, within))
      return { kind: 'refused', why: 'is a link out of its directory' };
    const stats = await lstat(real, { bigint: true });
    if (!stats.isFile()) return { kind: 'refused', why: 'is not a regular file' };
    const { dev, ino, size, mtimeNs, ctimeNs } = stats;
    const stamp = [real, dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.text;
    const text: ConfigText =
      size > BigInt(mostConfigBytes)
        ? { kind: 'refused', why: 'is larger than 1 MB' }
        : await readOpened(real);
    this.#known.set(path, { stamp, text });
    return text;
  }
}

/** Never waits: a pipe that took the file's place opens without a writer and is refused. */
async function readOpened(real: string): Promise<ConfigText> {
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!(await file.stat()).isFile()) return { kind: 'refused', why: 'is not a regular file' };
    if (!(await isOpenedAt(file, real))) return { kind: 'refused', why: 'was moved while it was read' };
    return await wholeText(file);
  } finally {
    await file.close();
  }
}

async function wholeText(file: FileHandle): Promise<ConfigText> {
  const bytes = Buffer.alloc(mostConfigBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (length > mostConfigBytes) return { kind: 'refused', why: 'is larger than 1 MB' };
    if (bytesRead === 0) return { kind: 'text', text: bytes.toString('utf8', 0, length) };
  }
}
