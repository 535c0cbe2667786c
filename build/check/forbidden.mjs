import { Visitor } from 'vite';
import { forbiddenCalls, forbiddenModules } from './forbidden-table.mjs';
import { lineAt } from './sources.mjs';

const globalObjects = new Set(['globalThis', 'window', 'self']);

function isBelow(path, places) {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}

function rulesFor(path, rules) {
  return rules.filter(
    ({ inside, except = [] }) => (inside === undefined || isBelow(path, inside)) && !isBelow(path, except),
  );
}

// `globalThis.setTimeout` is `setTimeout`; `childProcess.execSync` is `execSync`, whatever the module was named.
function namesOf(node) {
  if (node.type === 'Identifier') return [node.name];
  if (node.type !== 'MemberExpression' || node.computed) return [];
  const member = node.property.name;
  if (node.object.type === 'MemberExpression') return [`${node.object.property.name}.${member}`];
  const owner = node.object.name;
  if (owner === undefined) return [];
  return globalObjects.has(owner) || member.endsWith('Sync')
    ? [member, `${owner}.${member}`]
    : [`${owner}.${member}`];
}

function usesIn(program) {
  const uses = [];
  new Visitor({
    CallExpression: ({ callee, start }) => {
      for (const name of callee.type === 'Identifier' || callee.type === 'MemberExpression'
        ? namesOf(callee)
        : []) {
        uses.push({ name, start });
      }
    },
    // Handing a function on (`now: Date.now`) is using it.
    MemberExpression: (node) => uses.push(...namesOf(node).map((name) => ({ name, start: node.start }))),
    NewExpression: ({ callee, arguments: given, start }) => {
      if (callee.name === 'Date' && given.length === 0) uses.push({ name: 'new Date', start });
    },
  }).visit(program);
  return uses;
}

/** Uses of what the tables forbid, as `path:line: sentence`, each place once. */
export function checkForbidden(sources) {
  return sources.flatMap(({ path, text, program, imports }) => {
    const calls = rulesFor(path, forbiddenCalls);
    const modules = rulesFor(path, forbiddenModules);
    const found = [
      ...usesIn(program).flatMap(({ name, start }) =>
        calls.filter(({ what }) => what === name).map((rule) => ({ rule, start })),
      ),
      ...imports.flatMap(({ specifier, start }) =>
        modules.filter(({ what }) => what === specifier).map((rule) => ({ rule, start })),
      ),
    ];
    return [
      ...new Set(
        found.map(({ rule, start }) => `${path}:${lineAt(text, start)}: ${rule.what}: ${rule.reason}`),
      ),
    ];
  });
}
