/** The host's local calendar day of a wall time, `YYYY-MM-DD`. */
export function localDay(at: number): string {
  const date = new Date(at);
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Wall ms of the next local midnight after `at`. */
export function nextMidnight(at: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The local days from `since` to that of `until` (wall ms), at most the newest `most`; none when `since` is no day. */
export function localDays(since: string, until: number, most: number): string[] {
  const [, year, month, date] = dayPattern.exec(since) ?? [];
  if (year === undefined || month === undefined || date === undefined) return [];
  const days: string[] = [];
  const last = localDay(until);
  const now = new Date(until);
  for (let back = 0; back < most; back += 1) {
    const day = localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - back).getTime());
    if (day < since || day > last) break;
    days.push(day);
  }
  return days.reverse();
}
