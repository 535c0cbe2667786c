import { Visitor } from 'vite';
import { lineAt } from './sources.mjs';

const longestFile = 400;
const longestFunction = 60;

/** The value below which a fraction of the numbers lies (nearest rank); 0 for none. */
export function percentile(numbers, fraction) {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? 0;
}

// The callback of describe is a chapter, not a function: its tests are measured one by one.
function groupCallbacks(program) {
  const groups = new Set();
  new Visitor({
    CallExpression: (node) => {
      const callee = node.callee.type === 'MemberExpression' ? node.callee.object : node.callee;
      if (callee.name === 'describe') for (const argument of node.arguments) groups.add(argument.start);
    },
  }).visit(program);
  return groups;
}

/** The functions of a file as `{ start, lines }`; `lines` counts the first to the last line inclusive. */
export function functionsOf({ text, program }) {
  const groups = groupCallbacks(program);
  const found = [];
  const add = (node) => {
    if (node.body === null || groups.has(node.start)) return;
    found.push({ start: node.start, lines: lineAt(text, node.end) - lineAt(text, node.start) + 1 });
  };
  new Visitor({ FunctionDeclaration: add, FunctionExpression: add, ArrowFunctionExpression: add }).visit(
    program,
  );
  return found;
}

function countLines(text) {
  return text.replace(/\n$/, '').split('\n').length;
}

function spread(numbers) {
  const top = numbers.reduce((left, right) => Math.max(left, right), 0);
  return `median ${percentile(numbers, 0.5)}, p90 ${percentile(numbers, 0.9)}, longest ${top}`;
}

/** Files and functions over their limits, and a note with the spread of both. */
export function checkLengths(sources) {
  const files = sources.map(({ path, text }) => ({ path, lines: countLines(text) }));
  const functions = sources.flatMap((source) =>
    functionsOf(source).map(({ start, lines }) => ({
      at: () => `${source.path}:${lineAt(source.text, start)}`,
      lines,
    })),
  );
  return {
    failures: [
      ...files
        .filter(({ lines }) => lines > longestFile)
        .map(({ path, lines }) => `${path}: ${lines} lines, the limit is ${longestFile}`),
      ...functions
        .filter(({ lines }) => lines > longestFunction)
        .map(({ at, lines }) => `${at()}: a function of ${lines} lines, the limit is ${longestFunction}`),
    ],
    note: `${files.length} files: ${spread(files.map(({ lines }) => lines))} lines; functions: ${spread(functions.map(({ lines }) => lines))}`,
  };
}
