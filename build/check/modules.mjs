import { basename } from 'node:path';
import { lineAt } from './sources.mjs';

function isReExport(statement) {
  return (
    statement.type === 'ExportAllDeclaration' ||
    (statement.type === 'ExportNamedDeclaration' && statement.source !== null)
  );
}

/** Barrels: files named index, and files that do nothing but re-export. */
export function checkBarrels(sources) {
  return sources
    .filter(({ path, program }) => {
      const isIndex = /^index\.(ts|tsx|mjs)$/.test(basename(path));
      return isIndex || (program.body.length > 0 && program.body.every(isReExport));
    })
    .map(({ path }) => `${path}: a barrel; import from the file that defines the thing`);
}

function isNamespaceOfMini({ specifier, node }) {
  return (
    specifier === 'zod/mini' &&
    node.type === 'ImportDeclaration' &&
    node.specifiers.length === 1 &&
    node.specifiers[0].type === 'ImportNamespaceSpecifier' &&
    node.specifiers[0].local.name === 'z'
  );
}

/** Imports of zod that are not `import * as z from 'zod/mini'`: any other form defeats tree shaking or loads all of zod. */
export function checkZodImports(sources) {
  return sources.flatMap(({ path, text, imports }) =>
    imports
      .filter(({ specifier }) => specifier === 'zod' || specifier.startsWith('zod/'))
      .filter((found) => !isNamespaceOfMini(found))
      .map(({ start }) => `${path}:${lineAt(text, start)}: only "import * as z from 'zod/mini'" is allowed`),
  );
}

/** Files the parser rejects; the other checkers see only what was parsed before the error. */
export function checkSyntax(sources) {
  return sources.flatMap(({ path, syntaxErrors }) => syntaxErrors.map((message) => `${path}: ${message}`));
}
