import type { ShellWord } from '../../../shared/domain/permissions/shell-facts.ts';
import { visitParameter } from './expansions.ts';
import { visitArithmetic } from './arithmetic.ts';
import type { SyntaxNode } from './tree.ts';
import type { Visit } from './visit.ts';
import { ansiText, barePiece, doubleQuotedPiece, isPattern, type Piece, quotedPiece } from './word-text.ts';

/** Reads a word and visits the commands in it. */
export function readWord(word: SyntaxNode, visit: Visit): ShellWord {
  if (word.kind !== 'Word') visit.odd(`a word of an unknown kind (${word.kind})`);
  const parts = visit.tree.children(word, 'Parts');
  const pieces = parts.map((part) => readPart(part, visit));
  if (pieces.includes(null)) {
    const single = isSingle(parts, visit);
    return { text: visit.tree.source(word), kind: 'dynamic', ...(single ? { single } : {}) };
  }
  const text = pieces.map((piece) => piece?.text ?? '').join('');
  const mask = pieces.map((piece) => piece?.mask ?? '').join('');
  return { text, kind: isPattern(mask) ? 'pattern' : 'literal' };
}

/** One pair of double quotes around everything; but `"$@"` and `"${list[@]}"` are as many words as there are. */
function isSingle([first, ...others]: readonly SyntaxNode[], { tree }: Visit): boolean {
  if (first?.kind !== 'DblQuoted' || others.length > 0) return false;
  return tree
    .children(first, 'Parts')
    .every((part) => part.kind !== 'ParamExp' || !tree.source(part).includes('@'));
}

/** Reads a piece of a word and visits the commands in it; null: known only when it runs. */
export function readPart(part: SyntaxNode, visit: Visit): Piece | null {
  const { tree } = visit;
  switch (part.kind) {
    case 'Lit':
      return barePiece(literal(part, visit));
    case 'SglQuoted':
      return singleQuoted(part, visit);
    case 'DblQuoted':
      return doubleQuoted(part, visit);
    case 'ParamExp':
      visitParameter(part, visit);
      return null;
    case 'CmdSubst':
    case 'ProcSubst':
      substitution(part, visit);
      return null;
    case 'ArithmExp':
      visitArithmetic(tree.child(part, 'X'), visit);
      return null;
    case 'ExtGlob':
      visit.odd('an extended pattern');
      return null;
    default:
      visit.odd(`a word with ${part.kind}`);
      return null;
  }
}

/** The text as written; the parser's own account of it has to be the same. */
function literal(part: SyntaxNode, visit: Visit): string {
  const value = visit.tree.text(part, 'Value').replaceAll('\\\n', '');
  if (visit.tree.source(part).replaceAll('\\\n', '') !== value)
    visit.odd('text that can be read in two ways');
  return value;
}

function singleQuoted(part: SyntaxNode, { tree }: Visit): Piece | null {
  const value = tree.text(part, 'Value');
  if (!tree.flag(part, 'Dollar')) return quotedPiece(value);
  const text = ansiText(value);
  return text === null ? null : quotedPiece(text);
}

function doubleQuoted(part: SyntaxNode, visit: Visit): Piece | null {
  const pieces = visit.tree
    .children(part, 'Parts')
    .map((inner) =>
      inner.kind === 'Lit' ? doubleQuotedPiece(literal(inner, visit)) : readPart(inner, visit),
    );
  // A text that may be translated is not known.
  if (visit.tree.flag(part, 'Dollar') || pieces.includes(null)) return null;
  return quotedPiece(pieces.map((piece) => piece?.text ?? '').join(''));
}

function substitution(part: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  const source = tree.source(part);
  if (part.kind === 'ProcSubst' && source.startsWith('>'))
    visit.odd('a process substitution that is written to');
  // Between backquotes a shell looks for the next one before it reads anything else.
  if (source.startsWith('`') && /[\\`]/.test(source.slice(1, -1)))
    visit.odd('nested quotes between backquotes');
  visit.inside(() => visit.statements(tree.children(part, 'Stmts')));
}
