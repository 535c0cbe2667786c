const line = (n: number): string => `line ${n} of something long that nobody reads whole \u4e2d\u6587\n`;

function lines(bytes: number): string {
  const parts: string[] = [];
  for (let size = 0; size < bytes; size += Buffer.byteLength(parts.at(-1) ?? ''))
    parts.push(line(parts.length));
  return parts.join('');
}

/** What the fixture's runner says: 5 MB. */
export const largeText = lines(5 * 1024 * 1024);
/** What it writes: 3 MB. */
export const largeFile = lines(3 * 1024 * 1024);
