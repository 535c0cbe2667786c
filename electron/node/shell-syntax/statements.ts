import type { ShellRedirect } from '../../../shared/domain/permissions/shell-facts.ts';
import { visitArithmetic } from './arithmetic.ts';
import { readCommand, readDeclaration } from './commands.ts';
import { readRedirect } from './redirects.ts';
import { visitTest } from './tests.ts';
import type { SyntaxNode } from './tree.ts';
import type { Visit } from './visit.ts';

/** Visits one statement with everything in it. */
export function visitStatement(statement: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  if (statement.kind !== 'Stmt') return visit.odd(`a statement of an unknown kind (${statement.kind})`);
  if (tree.flag(statement, 'Coprocess')) visit.odd('a coprocess');
  if (visit.isInside && visit.dialect === 'old-bash' && statement.raw['Comments'] !== null)
    if (tree.children(statement, 'Comments').length > 0) visit.odd('a comment in a substitution');
  const redirects = tree.children(statement, 'Redirs').map((redirect) => readRedirect(redirect, visit));
  const command = tree.child(statement, 'Cmd');
  if (command?.kind === 'CallExpr') visit.parts.push(readCommand(command, redirects, visit));
  else if (command?.kind === 'DeclClause') visit.parts.push(readDeclaration(command, redirects, visit));
  else compound(command, redirects, visit);
}

function compound(command: SyntaxNode | null, redirects: readonly ShellRedirect[], visit: Visit): void {
  visit.redirects.push(...redirects);
  if (command === null) return;
  const { tree } = visit;
  const lists = bodies[command.kind];
  if (lists !== undefined) {
    for (const list of lists) visit.statements(tree.children(command, list));
    return;
  }
  switch (command.kind) {
    case 'IfClause':
      return visitIf(command, visit);
    case 'BinaryCmd':
      return visit.statements(both(command, visit));
    case 'ForClause':
      return visitFor(command, visit);
    case 'CaseClause':
      return visitCase(command, visit);
    case 'TestClause':
      return visitTest(tree.child(command, 'X'), visit);
    case 'ArithmCmd':
      return visitArithmetic(tree.child(command, 'X'), visit);
    case 'TimeClause':
      return visitTimed(command, visit);
    default:
      return visitOdd(command, visit);
  }
}

/** Lists of statements by the kind of the command. */
const bodies: Readonly<Record<string, readonly string[]>> = {
  Block: ['Stmts'],
  Subshell: ['Stmts'],
  WhileClause: ['Cond', 'Do'],
};

function both(command: SyntaxNode, { tree }: Visit): SyntaxNode[] {
  return [tree.child(command, 'X'), tree.child(command, 'Y')].filter((side) => side !== null);
}

function visitIf(clause: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  visit.statements(tree.children(clause, 'Cond'));
  visit.statements(tree.children(clause, 'Then'));
  const other = tree.child(clause, 'Else');
  if (other !== null) visitIf(other, visit);
}

function visitFor(clause: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  if (tree.flag(clause, 'Select')) visit.odd('a menu (select)');
  const loop = tree.child(clause, 'Loop');
  if (loop?.kind === 'WordIter') {
    const name = tree.child(loop, 'Name');
    const variable = name === null ? '' : tree.text(name, 'Value');
    const items = tree.children(loop, 'Items');
    for (const item of items) visit.word(item);
    // The loop sets its variable like an assignment.
    const assignments = [{ name: variable, value: null }];
    visit.parts.push({ source: `for ${tree.source(loop)}`, assignments, words: [], redirects: [] });
  } else if (loop?.kind === 'CStyleLoop') {
    for (const field of ['Init', 'Cond', 'Post']) visitArithmetic(tree.child(loop, field), visit);
  } else visit.odd('a loop of an unknown kind');
  visit.statements(tree.children(clause, 'Do'));
}

function visitCase(clause: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  if (visit.isInside && visit.dialect === 'old-bash') visit.odd('a case in a substitution');
  const word = tree.child(clause, 'Word');
  if (word !== null) visit.word(word);
  for (const item of tree.children(clause, 'Items')) {
    for (const pattern of tree.children(item, 'Patterns')) visit.word(pattern);
    visit.statements(tree.children(item, 'Stmts'));
  }
}

function visitTimed(clause: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  const statement = tree.child(clause, 'Stmt');
  if (statement === null) return;
  if (tree.source(statement).startsWith('-')) visit.odd('options of time');
  visit.statements([statement]);
}

/** What it runs is seen by rules that deny all the same. */
function visitOdd(command: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  visit.odd(oddNames[command.kind] ?? `a construct of the shell (${command.kind})`);
  if (command.kind === 'FuncDecl') visit.statements(presentIn(command, 'Body', tree));
  if (command.kind === 'CoprocClause') visit.statements(presentIn(command, 'Stmt', tree));
  if (command.kind === 'LetClause')
    for (const expression of tree.children(command, 'Exprs')) visitArithmetic(expression, visit);
}

function presentIn(command: SyntaxNode, field: string, tree: Visit['tree']): SyntaxNode[] {
  const node = tree.child(command, field);
  return node === null ? [] : [node];
}

const oddNames: Readonly<Record<string, string>> = {
  FuncDecl: 'a function of its own',
  CoprocClause: 'a coprocess',
  LetClause: 'arithmetic that assigns',
};
