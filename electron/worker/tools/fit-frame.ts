import type { CallResult } from '../../../shared/domain/messages.ts';
import { longest } from '../../../shared/protocol/worker-link.ts';

/** Bytes of a value as it stands in a frame. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** A result that may be handed over: an output that is too long is cut in the middle, and says so. */
export function fitResult(result: CallResult): CallResult {
  let kept = result.output.length;
  for (let fitted = result; ; fitted = { ...result, output: cut(result.output, kept) }) {
    const bytes = jsonBytes(fitted);
    if (bytes <= longest.result) return fitted;
    kept = Math.floor(kept * Math.min(0.9, longest.result / bytes));
  }
}

function cut(text: string, kept: number): string {
  const half = Math.floor(kept / 2);
  const note = `\n[... ${text.length - 2 * half} of ${text.length} characters left out ...]\n`;
  return `${text.slice(0, half)}${note}${text.slice(text.length - half)}`;
}
