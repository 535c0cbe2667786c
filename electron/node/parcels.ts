import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { KairosError, errorCode } from '../../shared/base/errors.ts';
import { maxParcelBytes, type Parcel, parcelSchema } from '../../shared/protocol/parcel.ts';
import { boundary } from './boundary.ts';

/** Why a frame could not be packed (the first three; nothing was sent) or what came is not to be trusted. */
export type ParcelErrorCode =
  | 'too_large'
  | 'disk_full'
  | 'parcel_not_written'
  | 'frame_too_large'
  | 'parcel_malformed'
  | 'parcel_missing'
  | 'parcel_forged';

/** A frame that could not be packed or unpacked. */
export class ParcelError extends KairosError {
  declare readonly code: ParcelErrorCode;

  constructor(code: ParcelErrorCode, message: string, cause?: unknown) {
    super(code, message, { cause });
    this.name = 'ParcelError';
  }
}

/** Codes of a disk without room, as Node gives them. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Carries frames that are larger than `maxInline` bytes of JSON past a message channel: as a file of this link's own folder that is
 * named by its SHA-256 and removed by whoever reads it. Frames of one link carry numbers, so that no two are equal. Synchronous,
 * so that frames keep their order; files are not synced, they mean nothing after a crash.
 */
export class Parcels {
  readonly #folder: string;
  readonly #maxInline: number;

  constructor(folder: string, maxInline: number) {
    this.#folder = folder;
    this.#maxInline = maxInline;
  }

  /** The frame itself when it is small enough, else the parcel that stands for it. Throws ParcelError. */
  pack<Frame extends object>(frame: Frame): Frame | Parcel {
    const text = JSON.stringify(frame);
    // Three bytes of UTF-8 for each unit of UTF-16 are the most there can be.
    if (text.length * 3 <= this.#maxInline) return frame;
    const bytes = Buffer.from(text);
    if (bytes.length <= this.#maxInline) return frame;
    if (bytes.length > maxParcelBytes)
      throw new ParcelError('too_large', `A frame of ${bytes.length} bytes is larger than a parcel may be.`);
    const sha256 = hashOf(bytes);
    this.#write(sha256, bytes);
    return { type: 'parcel', sha256, bytes: bytes.length };
  }

  /** What was sent: the value itself, or the frame that its parcel holds, whose file is removed. Throws ParcelError. */
  unpack(value: unknown): unknown {
    if (!isParcelLike(value)) {
      this.#requireInline(value);
      return value;
    }
    const parcel = parcelSchema.safeParse(value);
    if (!parcel.success) throw new ParcelError('parcel_malformed', 'What stands for a parcel is malformed.');
    const frame = parseJson(this.#take(parcel.data));
    if (isParcelLike(frame)) throw new ParcelError('parcel_malformed', 'A parcel holds a parcel.');
    return frame;
  }

  #requireInline(value: unknown): void {
    const text = JSON.stringify(value) ?? '';
    if (text.length * 3 <= this.#maxInline) return;
    const bytes = Buffer.byteLength(text);
    if (bytes > this.#maxInline)
      throw new ParcelError('frame_too_large', `A frame of ${bytes} bytes came without a parcel.`);
  }

  /** Under its own name only when it is whole. */
  #write(sha256: string, bytes: Uint8Array): void {
    const path = join(this.#folder, sha256);
    const temporary = `${path}.part`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
      boundary('parcel.written', 'before');
      renameSync(temporary, path);
      boundary('parcel.written', 'after');
    } catch (error) {
      if (existsSync(temporary)) unlinkSync(temporary);
      const code = errorCode(error);
      if (fullCodes.has(code))
        throw new ParcelError('disk_full', 'The disk is full: a large frame cannot be sent.', error);
      throw new ParcelError('parcel_not_written', `A large frame could not be written (${code}).`, error);
    }
  }

  #take({ sha256, bytes }: Parcel): Buffer {
    const path = join(this.#folder, sha256);
    let content: Buffer;
    try {
      content = readWhole(path, bytes);
      unlinkSync(path);
    } catch (error) {
      if (error instanceof ParcelError) throw error;
      throw new ParcelError('parcel_missing', `A parcel cannot be read (${errorCode(error)}).`, error);
    }
    if (hashOf(content) !== sha256) throw forged('is not what its name says');
    return content;
  }
}

/** Removes the folder of one link with what is left in it. */
export function removeParcels(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Removes what earlier runs left below the folder of all parcels; the number of removed names. */
export function sweepParcels(folder: string): number {
  const names = readdirSync(folder);
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  return names.length;
}

function isParcelLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'parcel';
}

/** Neither a link nor a pipe nor a file of another size is read. */
function readWhole(path: string, bytes: number): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size !== bytes) throw forged('has another size than it should');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch (cause) {
    throw new ParcelError('parcel_malformed', 'A parcel is not JSON.', cause);
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function forged(how: string): ParcelError {
  return new ParcelError('parcel_forged', `A parcel ${how}.`);
}
