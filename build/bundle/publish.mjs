import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const keptBuilds = 3;

/** The id of the build that `link` (dist or dist-crash) shows at the moment, or undefined when there is none. */
export function publishedId(link) {
  try {
    return readFileSync(join(link, '.stamp'), 'utf8').trim();
  } catch {
    // Absent or damaged.
    return undefined;
  }
}

/** The finished builds beside `link`, newest first, as absolute paths. */
export function finishedBuilds(link) {
  const prefix = `${basename(link)}.`;
  return readdirSync(dirname(link))
    .filter((name) => name.startsWith(prefix) && existsSync(join(dirname(link), name, '.stamp')))
    .map((name) => join(dirname(link), name))
    .sort((left, right) => statSync(right).mtimeMs - statSync(left).mtimeMs);
}

function prune(link) {
  const current = join(dirname(link), readlinkSync(link));
  const surplus = finishedBuilds(link)
    .filter((folder) => folder !== current)
    .slice(keptBuilds - 1);
  for (const folder of surplus) rmSync(folder, { recursive: true, force: true });
}

/**
 * Points `link` at the finished build in `folder` (a sibling) in one rename, so no reader ever finds it absent or half made.
 * The builds before it stay for a while: processes started from them still load parts lazily.
 */
export function publish(link, folder) {
  const now = new Date();
  utimesSync(folder, now, now);
  const fresh = `${link}.link-${process.pid}`;
  rmSync(fresh, { force: true });
  symlinkSync(basename(folder), fresh, process.platform === 'win32' ? 'junction' : 'dir');
  const isFolder = existsSync(link) && !isLink(link);
  // A real folder (made by something else) and a Windows junction cannot be replaced by a rename.
  if (isFolder || process.platform === 'win32') rmSync(link, { recursive: true, force: true });
  renameSync(fresh, link);
  prune(link);
}

function isLink(path) {
  try {
    return readlinkSync(path) !== '';
  } catch {
    return false;
  }
}
