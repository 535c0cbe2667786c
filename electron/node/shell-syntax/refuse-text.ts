/** Longest command that is parsed, in bytes; parsing takes a few milliseconds per KB. */
const longestText = 64 * 1024;
/** Brackets, braces, quotes and here-documents together; far more than a person can look through. */
const mostSigns = 4_000;

/** Marks of direction and joining, private and unassigned ones, and letters that have no shape. */
const invisible = /\p{Cf}|\p{Co}|\p{Cn}|\u115f|\u1160|\u3164|\uffa0|\u034f|\u17b4|\u17b5|[\ufe00-\ufe0e]/u;

/** Why a text is not read at all, one sentence for people; null: it may be. */
export function refusedText(text: string): string | null {
  if (Buffer.byteLength(text) > longestText) return `It is longer than ${longestText / 1024} KB.`;
  if (!text.isWellFormed()) return 'It contains characters that are no text.';
  // A shell keeps a carriage return, parsers often do not.
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return 'It contains control characters.';
  if (invisible.test(text)) return 'It contains invisible characters.';
  if (/[^\u0020\P{Zs}]|[\u2028\u2029]/u.test(text)) return 'It contains spaces that are none for a shell.';
  if ((text.match(/[({[`]|<</g) ?? []).length > mostSigns) return 'It is nested too much to be read.';
  return null;
}
