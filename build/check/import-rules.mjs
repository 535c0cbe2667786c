import { dirname } from 'node:path';
import { composers, importTable } from './import-table.mjs';
import { lineAt } from './sources.mjs';

function contains(folder, path) {
  return path.startsWith(`${folder}/`);
}

/** The row of the table that a file belongs to, or undefined when no row covers it. */
export function ruleOf(path, table = importTable) {
  return table
    .filter((rule) => (rule.direct ? dirname(path) === rule.folder : contains(rule.folder, path)))
    .sort((left, right) => right.folder.length - left.folder.length)[0];
}

function allowedFolders(path, rule) {
  const composer = composers.find(({ pattern }) => pattern.test(path));
  return [...rule.may, ...(composer?.may ?? [])];
}

function mayImportFile(path, rule, target) {
  const targetRule = ruleOf(target);
  if (targetRule === rule) return true;
  if (allowedFolders(path, rule).some((folder) => contains(folder, target))) return true;
  // A sub-folder with a row of its own (worker/agent) is still a part of its process for the files around it.
  return rule.direct !== true && contains(rule.folder, target);
}

function mayImportPackage(rule, specifier) {
  if (specifier === 'electron' || specifier.startsWith('electron/')) return rule.electron === true;
  if (rule.packages === 'any') return true;
  if (rule.packages === 'npm') return !specifier.startsWith('node:');
  if (rule.also?.includes(specifier)) return true;
  return rule.packages === 'zod' && specifier === 'zod/mini';
}

/** Every import that the table forbids, as `path:line: sentence`; files that no row covers are failures too. */
export function checkImports(sources) {
  return sources.flatMap(({ path, text, imports }) => {
    const rule = ruleOf(path);
    if (rule === undefined) return [`${path}: no row in build/check/import-table.mjs covers this file`];
    return imports
      .filter(({ specifier, target }) =>
        target === undefined ? !mayImportPackage(rule, specifier) : !mayImportFile(path, rule, target),
      )
      .map(({ specifier, target, start }) => {
        const kind = target === undefined ? `the package ${specifier}` : target;
        return `${path}:${lineAt(text, start)}: ${rule.folder} may not import ${kind}`;
      });
  });
}
