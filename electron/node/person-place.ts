import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Platform } from '../../shared/domain/permissions/path-patterns.ts';

/** How this system writes paths; every other one is taken as Linux. */
export function pathPlatform(): Platform {
  return process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
}

/** Real path of the home of the person who runs this, as `~/` in rules means it. */
export function personPlace(): { readonly home: string; readonly platform: Platform } {
  return { home: realHome(homedir()), platform: pathPlatform() };
}

function realHome(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    // A home that does not exist (a system's account) is still what `~` says.
    return home;
  }
}
