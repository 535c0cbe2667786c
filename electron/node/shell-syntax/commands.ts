import type { ShellPart, ShellWord } from '../../../shared/domain/permissions/shell-facts.ts';
import type { SyntaxNode } from './tree.ts';
import type { Visit } from './visit.ts';

/** Words that are part of the language when they stand bare at the beginning of a command. */
const reserved =
  /^(?:if|then|else|elif|fi|case|esac|for|select|while|until|do|done|in|function|time|\{|\}|!|\[\[|\]\]|coproc)$/;

type Assignment = ShellPart['assignments'][number];

/** Reads a simple command. */
export function readCommand(call: SyntaxNode, redirects: ShellPart['redirects'], visit: Visit): ShellPart {
  const { tree } = visit;
  const assignments = tree.children(call, 'Assigns').map((node) => readAssignment(node, visit));
  const args = tree.children(call, 'Args');
  const first = args[0];
  if (first !== undefined && reserved.test(tree.source(first)))
    visit.odd('a word of the language out of place');
  const words = args.map((word) => visit.word(word));
  return { source: tree.source(call), assignments, words, redirects };
}

/** `NAME=value`, `NAME+=value`, `NAME=(list)`. */
function readAssignment(node: SyntaxNode, visit: Visit): Assignment {
  const { tree } = visit;
  const name = tree.child(node, 'Name');
  if (name === null) visit.odd('an assignment to a computed name');
  const index = tree.child(node, 'Index');
  if (index !== null) {
    if (!/^[0-9]+$/.test(tree.source(index))) visit.odd('a computed subscript');
    if (index.kind === 'Word') visit.word(index);
  }
  const value = tree.child(node, 'Value');
  const list = tree.child(node, 'Array');
  if (list !== null) readList(list, visit);
  return {
    name: name === null ? '' : tree.text(name, 'Value'),
    value: value === null ? null : visit.word(value),
  };
}

function readList(list: SyntaxNode, visit: Visit): void {
  for (const element of visit.tree.children(list, 'Elems')) {
    if (visit.tree.child(element, 'Index') !== null) visit.odd('a list with subscripts');
    const value = visit.tree.child(element, 'Value');
    if (value !== null) visit.word(value);
  }
}

/** Reads `export`, `declare` and the like as the words they are. */
export function readDeclaration(
  clause: SyntaxNode,
  redirects: ShellPart['redirects'],
  visit: Visit,
): ShellPart {
  const { tree } = visit;
  const variant = tree.child(clause, 'Variant');
  const words: ShellWord[] = [{ text: variant === null ? '' : tree.text(variant, 'Value'), kind: 'literal' }];
  for (const node of tree.children(clause, 'Args')) {
    const { value } = readAssignment(node, { ...visit, odd: withoutName(node, visit) });
    words.push(declared(node, value, visit));
  }
  return { source: tree.source(clause), assignments: [], words, redirects };
}

/** Options and words that are known only when it runs have no name there. */
function withoutName(node: SyntaxNode, visit: Visit): Visit['odd'] {
  return (what) => {
    if (!visit.tree.flag(node, 'Naked')) visit.odd(what);
    else if (what !== 'an assignment to a computed name') visit.odd(what);
  };
}

function declared(node: SyntaxNode, value: ShellWord | null, { tree, odd }: Visit): ShellWord {
  if (tree.flag(node, 'Naked') && tree.child(node, 'Name') === null) {
    if (value?.kind !== 'literal') odd('a declaration of a name that is known only when it runs');
    else if (/[[$`]/.test(value.text)) odd('a declaration that evaluates its name');
    return value ?? { text: '', kind: 'literal' };
  }
  const list = tree.child(node, 'Array') !== null;
  const source = tree.source(node);
  if (list || (value !== null && value.kind !== 'literal')) return { text: source, kind: 'dynamic' };
  const name = tree.child(node, 'Name');
  const text = name === null ? source : tree.text(name, 'Value');
  return { text: value === null ? text : `${text}=${value.text}`, kind: 'literal' };
}
