import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync, Visitor } from 'vite';

const folders = ['electron', 'renderer', 'shared', 'build', 'test'];
const isSource = /\.(ts|tsx|mjs)$/;

function listFolder(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return entry.name === 'fixtures' || entry.name === 'node_modules' ? [] : listFolder(root, path);
    return isSource.test(entry.name) ? [path] : [];
  });
}

function importsOf(program) {
  const found = [];
  const add = (source, node) => {
    if (typeof source?.value === 'string') found.push({ specifier: source.value, start: node.start, node });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node),
    ExportNamedDeclaration: (node) => add(node.source, node),
    ExportAllDeclaration: (node) => add(node.source, node),
    ImportExpression: (node) => add(node.source, node),
    TSImportType: (node) => add(node.source ?? node.argument, node),
  }).visit(program);
  return found;
}

/** The 1-based line of an offset in a text. */
export function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length;
}

/**
 * Parses one file into `{ path, text, program, comments, imports, syntaxErrors }`; `path` is relative to the root with forward slashes.
 * Each import is `{ specifier, target, start, node }`; `target` is the path a relative specifier names, undefined for packages.
 */
export function parseSource(path, text) {
  const { program, errors, comments } = parseSync(path, text);
  const imports = importsOf(program).map((found) => ({
    ...found,
    target: found.specifier.startsWith('.') ? posix.join(dirname(path), found.specifier) : undefined,
  }));
  return { path, text, program, comments, imports, syntaxErrors: errors.map((error) => error.message) };
}

/** Every source file of ours below `root`, parsed; fixtures are left out. */
export function readSources(root) {
  return folders
    .flatMap((folder) => listFolder(root, folder))
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}
