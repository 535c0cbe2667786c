import { readFileSync } from 'node:fs';

/** Version of the program that runs: from `build.json` beside a bundle, from `package.json` when run from the sources. */
export function productVersion(): string {
  return aboutThis().version;
}

/** Names the build that runs: the stamp of the sources a bundle was made of; run from the sources there is none, only `source`. */
export function buildId(): string {
  return aboutThis().buildId ?? 'source';
}

function aboutThis(): { readonly version: string; readonly buildId?: string } {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? '../../package.json' : './build.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as { version: string; buildId?: string };
}
