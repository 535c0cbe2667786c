import type { SyntaxNode } from './tree.ts';
import type { Visit } from './visit.ts';

const operators = ['BinaryArithm', 'UnaryArithm', 'ParenArithm'];

/**
 * Visits an expression. Names and substitutions in it are evaluated once more by the shell (`a[$(command)]` in a variable runs
 * the command), so only numbers are plain.
 */
export function visitArithmetic(expression: SyntaxNode | null, visit: Visit): void {
  if (expression === null) return;
  const { tree } = visit;
  if (operators.includes(expression.kind)) {
    visitArithmetic(tree.child(expression, 'X'), visit);
    if (expression.kind === 'BinaryArithm') visitArithmetic(tree.child(expression, 'Y'), visit);
  } else if (!isNumber(tree.source(expression))) {
    visit.odd('arithmetic with names or commands');
    // Commands in it are seen by rules that deny.
    if (expression.kind === 'Word') visit.word(expression);
  }
}

/** A number, or a parameter that is always one. */
function isNumber(source: string): boolean {
  return /^(?:[0-9]+|0[xX][0-9A-Fa-f]+|\$[#?$!])$/.test(source);
}
