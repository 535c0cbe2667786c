import { visibleText } from '../base/visible-text.ts';

/** Bytes of UTF-8 that file systems give a name, less what stands before it. */
const mostBytes = 200;

/** Names that a system or a shell reads as something else. */
const odd = /^(\.{1,2}|-.*|con|prn|aux|nul|com\d|lpt\d)$/i;

/** Why a file may not be stored under this name, to follow the name; null when it may: one part, visible, not a name of a device. */
export function fileNameProblem(name: string): string | null {
  if (name.trim() === '') return 'is empty';
  if (/[/\\]/.test(name)) return 'is a path, not a name';
  if (visibleText(name) !== name || /[\t\n\r]/.test(name)) return 'has invisible characters';
  if (new TextEncoder().encode(name).length > mostBytes) return `is longer than ${mostBytes} bytes`;
  return odd.test(name) ? 'means something else to this system' : null;
}
