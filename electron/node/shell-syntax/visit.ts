import type { ShellPart, ShellRedirect, ShellWord } from '../../../shared/domain/permissions/shell-facts.ts';
import type { SyntaxNode, Tree } from './tree.ts';
import type { ShellDialect } from './which-shell.ts';

/** What the walk through a script has found so far, and how it goes on. */
export interface Visit {
  readonly tree: Tree;
  readonly dialect: ShellDialect;
  readonly parts: ShellPart[];
  readonly redirects: ShellRedirect[];
  /** Notes a construct that no pattern can vouch for; follows "a command with". */
  odd(what: string): void;
  statements(nodes: readonly SyntaxNode[]): void;
  word(node: SyntaxNode): ShellWord;
  /** Visits one piece of a word. */
  piece(node: SyntaxNode): void;
  /** Visits the text of a here-document. */
  document(node: SyntaxNode): void;
  /** Visits what stands in a substitution. */
  inside(work: () => void): void;
  /** True within a substitution. */
  readonly isInside: boolean;
}
