import { KairosError } from '../../../shared/base/errors.ts';
import type { ShellFacts, ShellPart, ShellRedirect } from '../../../shared/domain/permissions/shell-facts.ts';
import type { Syntax } from './load-syntax.ts';
import { visitStatement } from './statements.ts';
import { type SyntaxNode, Tree } from './tree.ts';
import type { Visit } from './visit.ts';
import { readPart, readWord } from './words.ts';
import type { ShellDialect } from './which-shell.ts';

const deepest = 60;
/** Commands and words; each takes the parser some tens of microseconds to hand over. */
const mostSteps = 2_000;

/** Parses a script and walks through it. Throws what the parser throws, and KairosError `shell_tree` for what is beyond the limits. */
export function readScript(
  text: string,
  dialect: ShellDialect,
  syntax: Syntax,
  language: Syntax['LangBash'],
): ShellFacts {
  const parser = syntax.NewParser(syntax.Variant(language), syntax.KeepComments(true));
  const tree = new Tree(text, syntax);
  const parts: ShellPart[] = [];
  const redirects: ShellRedirect[] = [];
  const odd = new Set<string>();
  let depth = 0;
  let steps = 0;
  let substitutions = 0;
  const deeper = <Result>(work: () => Result): Result => {
    depth += 1;
    steps += 1;
    if (depth > deepest || steps > mostSteps)
      throw new KairosError('shell_tree', 'it is nested too deep or has too many words');
    const result = work();
    depth -= 1;
    return result;
  };
  const visit: Visit = {
    tree,
    dialect,
    parts,
    redirects,
    odd: (what) => void odd.add(what),
    statements: (nodes) => deeper(() => nodes.forEach((node) => visitStatement(node, visit))),
    word: (node) => deeper(() => readWord(node, visit)),
    piece: (node) => void deeper(() => readPart(node, visit)),
    document: (node) => visitDocument(node, visit),
    inside(work) {
      substitutions += 1;
      work();
      substitutions -= 1;
    },
    get isInside() {
      return substitutions > 0;
    },
  };
  const script = tree.node(parser.Parse(text, ''));
  if (text.includes('#')) visitComments(script, text, visit);
  visit.statements(tree.children(script, 'Stmts'));
  return { kind: 'parsed', parts, redirects, odd: [...odd] };
}

/** For a shell a `#` begins a comment only where a word could begin, and the line after a comment is no part of it. */
function visitComments(script: SyntaxNode, text: string, { tree, odd }: Visit): void {
  if (/#[^\n]*\\\n/.test(text)) odd('a comment that ends in a backslash');
  for (const at of tree.comments(script)) {
    const before = tree.slice(Math.max(0, at - 2), at);
    if (!/(?:^|[ \t;&|(<>]|(?:^|[^\\])\n)$/.test(before)) odd('a comment where a word goes on');
  }
}

/** The lines of a here-document are no words: only what stands between them is visited. */
function visitDocument(body: SyntaxNode, visit: Visit): void {
  for (const part of visit.tree.children(body, 'Parts')) if (part.kind !== 'Lit') visit.piece(part);
}
