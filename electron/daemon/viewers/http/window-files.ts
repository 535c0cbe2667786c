import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Gives the answer to a path of the window, or null when it is none of its files. */
export type WindowFiles = (path: string) => Promise<Response | null>;

const withoutWindow = `Kairos is running. This build has no window; use the command line:

  kairos send "what to do" --wait
  kairos sessions
  kairos approvals
`;

/**
 * Serves the built window. Only names found in the folder at the first request are ever opened, so no path leads out of it.
 * Files below `assets` have a hash in their name and may be kept for ever. Without a window `/` explains the CLI.
 */
export function createWindowFiles(folder: string | null): WindowFiles {
  let files: Promise<ReadonlyMap<string, string>> | null = null;
  return async (path) => {
    files ??= listFiles(folder);
    const found = await files;
    if (!found.has('/index.html')) return path === '/' ? textResponse(withoutWindow) : null;
    const name = path === '/' ? '/index.html' : path;
    const file = found.get(name);
    const type = file === undefined ? undefined : types[extname(file)];
    if (file === undefined || type === undefined) return null;
    const kept = name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return new Response(await readFile(file), { headers: { 'content-type': type, 'cache-control': kept } });
  };
}

async function listFiles(folder: string | null): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  if (folder === null || !existsSync(folder)) return files;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(`/${relative(folder, file).split(sep).join('/')}`, file);
  }
  return files;
}

function textResponse(text: string): Response {
  return new Response(text, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
