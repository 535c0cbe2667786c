type Headers = Readonly<Record<string, string | undefined>>;

/**
 * How long a server asks to be left alone, in ms from `now` (wall ms): `retry-after-ms`, or `retry-after` as seconds (also
 * fractions) or as a date (RFC 9110 10.2.3). Names in lower case. null: it does not say, or nothing that can be understood.
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const ms = plainNumber(headers['retry-after-ms']);
  if (ms !== null) return ms;
  const given = headers['retry-after'];
  const seconds = plainNumber(given);
  if (seconds !== null) return seconds * 1000;
  // Every form of the date has the name of its month; the parser takes far more for a date.
  const date = given !== undefined && /[a-z]{3}/i.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function plainNumber(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
