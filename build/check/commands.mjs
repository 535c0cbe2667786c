import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fromRoot, root } from '../paths.mjs';

/** Runs a command in the root and resolves to its output lines when it failed, to none when it succeeded. */
export function failuresOf(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve([]);
      resolve(output.split('\n').filter((line) => line.trim() !== ''));
    });
  });
}

/** The path of a tool that a package brought. */
export function tool(name) {
  return fromRoot('node_modules', '.bin', name);
}

const runtimes = [
  { name: 'shared', folders: ['shared'] },
  { name: 'node', folders: ['electron'] },
  { name: 'renderer', folders: ['renderer'] },
  { name: 'test', folders: ['test'] },
];

/** One type check per runtime, because each has its own globals; a runtime without sources yet is left out. */
export function typeChecks() {
  return runtimes
    .filter(({ folders }) => folders.some((folder) => existsSync(fromRoot(folder))))
    .map(({ name }) => ({
      title: `types (${name})`,
      work: () =>
        failuresOf(tool('tsc'), [
          '--project',
          fromRoot('build', 'tsconfigs', `${name}.json`),
          '--pretty',
          'false',
        ]),
    }));
}
