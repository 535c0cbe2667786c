import type { CallResult, ImageRef } from '../../../../shared/domain/messages.ts';
import { failed, type ToolContext } from '../tool.ts';
import { pictureSize, pictureType } from './picture.ts';
import { wholeFile } from './whole-file.ts';

/** Providers take 5 MB in base64; models take no longer side. */
const longestPicture = 3_932_160;
const longestSide = 8_000;

/** A picture that is stored for the model with what is said of it, or what is wrong with it. */
export type StoredPicture =
  | { readonly image: ImageRef; readonly text: string }
  | { readonly problem: string };

/** Reads a picture file for the model to see. Throws as `readPieces` does. */
export async function readPicture(path: string, context: ToolContext): Promise<CallResult> {
  const bytes = await wholeFile(path, longestPicture, context.clock);
  if (bytes === null)
    return failed(`"${path}" is larger than 3.75 MB, the most a model takes; make a smaller copy with Bash.`);
  const stored = await storePicture(bytes, context);
  if ('problem' in stored) return failed(`"${path}" ${stored.problem}.`);
  return { outcome: 'ok', output: stored.text, images: [stored.image] };
}

/** Stores a picture when a model can take it. */
export async function storePicture(bytes: Uint8Array, context: ToolContext): Promise<StoredPicture> {
  const type = pictureType(bytes);
  if (type === null) return { problem: 'is no picture in PNG, JPEG, GIF or WebP' };
  const size = pictureSize(bytes, type);
  if (size === null) return { problem: `is a damaged ${type} file` };
  const shown = `${size.width} x ${size.height} pixels`;
  if (Math.max(size.width, size.height) > longestSide)
    return { problem: `has ${shown}; a model takes at most ${longestSide} a side, make a smaller copy` };
  if (bytes.length > longestPicture) return { problem: 'is larger than 3.75 MB' };
  const hash = await context.putBlob(bytes);
  return {
    image: { hash, mediaType: type, bytes: bytes.length },
    text: `[${type}, ${shown}, ${bytes.length} bytes; the picture is attached]`,
  };
}
