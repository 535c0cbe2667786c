import { type ClientFrame, clientFrameSchema } from '../../../../shared/protocol/bridge.ts';

/** A frame that a client sent, or what is wrong with it (never its content). */
export type ReadFrame =
  | { readonly ok: true; readonly frame: ClientFrame }
  | { readonly ok: false; readonly message: string };

/** Reads one frame; binary frames are not part of the protocol. */
export function readClientFrame(data: unknown, isBinary: boolean): ReadFrame {
  if (isBinary) return { ok: false, message: 'Binary frames are not understood; send JSON as text.' };
  const parsed = parseJson(String(data));
  if (parsed === undefined) return { ok: false, message: 'The frame is not JSON.' };
  const frame = clientFrameSchema.safeParse(parsed);
  if (frame.success) return { ok: true, frame: frame.data };
  const issues = frame.error.issues
    .map(({ path }) => path.map(String).join('.'))
    .filter((field) => field !== '');
  return {
    ok: false,
    message: `The frame is not known or a field is wrong: ${issues.slice(0, 3).join(', ') || 'type'}.`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller refuses it as no frame.
    return undefined;
  }
}
