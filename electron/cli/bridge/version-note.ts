import { restartIt } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';

function parts(version: string): number[] {
  return version.split(/[.+-]/).map(Number);
}

/** True when version `left` is later than `right` (`major.minor.patch`; anything that is not a number compares as equal). */
function isNewer(left: string, right: string): boolean {
  const [ours, theirs] = [parts(left), parts(right)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (ours[index] ?? 0) - (theirs[index] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference > 0;
  }
  return false;
}

/** What to tell when this program is newer than the daemon it talks to; undefined when there is nothing to tell. */
export function versionNote(ours: string, daemon: string): string | undefined {
  if (!isNewer(ours, daemon)) return undefined;
  return `This kairos is ${ours}, the running daemon still is ${foreignLine(daemon)}. ${restartIt}`;
}
