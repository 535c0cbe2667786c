/** Control, bidirectional, zero-width, tag and other characters that a person cannot see; line feed and tab stay. */
const invisible =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu;

/** Makes every invisible or direction-changing character readable as `<U+202E>`; text without any is returned unchanged. */
export function visibleText(text: string): string {
  return text.replace(invisible, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** One line of at most `limit` characters; a cut is marked by an ellipsis. */
export function oneLine(text: string, limit: number): string {
  const flat = visibleText(text).replace(/\s+/g, ' ').trim();
  const chars = [...flat];
  return chars.length <= limit ? flat : `${chars.slice(0, limit - 1).join('')}…`;
}
