const unitSeconds: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|milliseconds?|毫秒)$/i, 0.001],
  [/^(?:s|secs?|seconds?|秒钟?)$/i, 1],
  [/^(?:m|mins?|minutes?|分钟?)$/i, 60],
  [/^(?:h|hrs?|hours?|个?小时|个?钟头)$/i, 3600],
  [/^(?:d|days?|天)$/i, 86_400],
];

const part = /(\d+(?:\.\d+)?)\s*(\p{L}+)/gu;
const whole = /^(?:\d+(?:\.\d+)?\s*\p{L}+[\s,]*)+$/u;

/** Seconds of `30s`, `1 min`, `1h 30m`, `10 seconds`, `30 秒`, `2小时`; a bare number is seconds. null when it is no duration. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return positive(Number(trimmed));
  if (!whole.test(trimmed)) return null;
  let total = 0;
  for (const [, amount = '', unit = ''] of trimmed.matchAll(part)) {
    const known = unitSeconds.find(([pattern]) => pattern.test(unit));
    if (!known) return null;
    total += Number(amount) * known[1];
  }
  return positive(total);
}

function positive(seconds: number): number | null {
  return seconds > 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) / 1000 : null;
}
