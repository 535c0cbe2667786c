/** A size for people: `812 B`, `12 KB`, `1.4 MB`. */
export function byteText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilo = bytes / 1024;
  if (kilo < 1000) return `${Math.round(kilo)} KB`;
  return `${(kilo / 1024).toFixed(1)} MB`;
}
