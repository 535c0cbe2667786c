import { readFileSync } from 'node:fs';

/** Version of the program that runs: from `build.json` beside a bundle, from `package.json` when run from the sources. */
export function productVersion(): string {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? '../../package.json' : './build.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
