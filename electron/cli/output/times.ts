/** ISO 8601 in UTC of wall ms; a time outside the calendar is null. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function span(ms: number): string {
  if (ms < minute) return `${Math.floor(ms / 1000)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  return `${Math.floor(ms / hour)} h`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Local date and time without seconds: `2026-11-30 09:04`. */
export function localTime(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return '';
  const days = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${days} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `12 s ago`, `in 3 h`; the local date from 24 h on (ux.md, 6). Both in wall ms. */
export function relativeTime(ms: number, now: number): string {
  const away = Math.abs(ms - now);
  if (away >= day) return localTime(ms).slice(0, 10);
  if (away < 1000) return 'now';
  return ms < now ? `${span(away)} ago` : `in ${span(away)}`;
}
