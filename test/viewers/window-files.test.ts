import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBridge } from './support/bridge-under-test.ts';

function makeWindow(): string {
  const root = mkdtempSync(join(tmpdir(), 'kairos-window-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'window');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(root, 'secret.json'), '{}');
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'main-abc123.js'), 'export {};');
  writeFileSync(join(folder, 'assets', 'notes.secret'), 'no type, not served');
  symlinkSync(join(root, 'secret.json'), join(folder, 'link.json'));
  return folder;
}

test('The window is served without a token; hashed files are kept, the page is not, and no path leads out.', async () => {
  const { ask } = await startBridge({ windowDir: makeWindow() });
  const paths = [
    '/',
    '/index.html',
    '/assets/main-abc123.js',
    '/assets/notes.secret',
    '/link.json',
    '/../secret.json',
    '/assets/../../secret.json',
    '/assets/..%2f..%2fsecret.json',
    '/assets/',
    '/%00',
  ];
  const outcome = [];
  for (const path of paths) {
    const { status, headers } = await ask({ path, token: null });
    outcome.push([path, status, headers['content-type'], headers['cache-control']]);
  }
  const json = 'application/json; charset=utf-8';
  expect(outcome).toEqual([
    ['/', 200, 'text/html; charset=utf-8', 'no-cache'],
    ['/index.html', 200, 'text/html; charset=utf-8', 'no-cache'],
    ['/assets/main-abc123.js', 200, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ...paths.slice(3).map((path) => [path, 404, json, 'no-store']),
  ]);
});

test('Without a built window the address explains the command line.', async () => {
  const { ask } = await startBridge();
  const { status, headers, text } = await ask({ path: '/', token: null });
  expect([status, headers['content-type'], text.includes('kairos send')]).toEqual([
    200,
    'text/plain; charset=utf-8',
    true,
  ]);
});
