import type { SyntaxNode } from './tree.ts';
import type { Visit } from './visit.ts';

const arithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/;
const integer = /^-?[0-9]+$/;

/** Visits the condition in `[[ ]]`. Comparing as numbers and asking for a variable evaluate their words once more. */
export function visitTest(expression: SyntaxNode | null, visit: Visit): void {
  if (expression === null) return;
  const { tree } = visit;
  switch (expression.kind) {
    case 'Word':
      visit.word(expression);
      return;
    case 'ParenTest':
      visitTest(tree.child(expression, 'X'), visit);
      return;
    case 'UnaryTest':
      if (/^-[vRo]/.test(sign(expression, visit))) visit.odd('a test of a variable by its name');
      visitTest(tree.child(expression, 'X'), visit);
      return;
    case 'BinaryTest':
      visitBinary(expression, visit);
      return;
    default:
      visit.odd(`a test with ${expression.kind}`);
  }
}

function visitBinary(expression: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  const sides = [tree.child(expression, 'X'), tree.child(expression, 'Y')];
  const isPlain = sides.every((side) => side !== null && integer.test(tree.source(side)));
  if (arithmetic.test(sign(expression, visit)) && !isPlain) visit.odd('a comparison of computed numbers');
  for (const side of sides) visitTest(side, visit);
}

function sign(expression: SyntaxNode, { tree }: Visit): string {
  const at = tree.position(expression, 'OpPos');
  return /^\S{1,3}/.exec(tree.slice(at, at + 3))?.[0] ?? '';
}
