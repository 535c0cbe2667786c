import type { SyntaxNode } from './tree.ts';
import type { Visit } from './visit.ts';

/** Operators of `${name...}` that only replace or cut: `-`, `:-`, `+`, `:+`, `?`, `:?`, `%`, `%%`, `#`, `##`, `^`, `^^`, `,`, `,,`. */
const plainOperators = new Set([68, 69, 70, 71, 72, 73, 76, 77, 78, 79, 80, 81, 82, 83]);

/** Visits `$name` and `${name...}`: their words may contain commands, and some forms evaluate the value itself. */
export function visitParameter(part: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  const parameter = tree.child(part, 'Param');
  const name = parameter === null ? '' : tree.text(parameter, 'Value');
  if (!/^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])$/.test(name)) visit.odd('a strange parameter');
  if (tree.flag(part, 'Excl')) visit.odd('an indirect parameter');
  if (tree.flag(part, 'Width')) visit.odd('a strange parameter');
  const index = tree.child(part, 'Index');
  if (index !== null && !isPlainIndex(index, visit)) visit.odd('a computed subscript');
  const slice = part.raw['Slice'];
  if (slice !== null) visitSlice(tree.source(part), visit);
  visitReplacement(part, visit);
  const expansion = part.raw['Exp'];
  if (expansion !== null) visitExpansion(fields(expansion), visit);
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isPlainIndex(index: SyntaxNode, { tree }: Visit): boolean {
  return /^(?:[0-9]+|[@*])$/.test(tree.source(index));
}

/** Offset and length are arithmetic; only numbers are plain. */
function visitSlice(source: string, visit: Visit): void {
  const slice = /^\$\{[^:]*:([^{}]*)\}$/.exec(source)?.[1];
  if (slice === undefined || !/^ ?-?[0-9]+(?: ?: ?-?[0-9]+)?$/.test(slice)) visit.odd('a computed slice');
}

function visitReplacement(part: SyntaxNode, visit: Visit): void {
  const replacement = part.raw['Repl'];
  if (replacement === null) return;
  const { Orig: original, With: by } = fields(replacement);
  for (const word of [original, by]) if (word !== null) visit.word(visit.tree.node(word));
}

function visitExpansion({ Op: operator, Word: word }: Readonly<Record<string, unknown>>, visit: Visit): void {
  if (typeof operator !== 'number' || !plainOperators.has(operator))
    visit.odd('an expansion that assigns or evaluates');
  if (word !== null) visit.word(visit.tree.node(word));
}
