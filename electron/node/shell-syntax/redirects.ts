import type { ShellRedirect } from '../../../shared/domain/permissions/shell-facts.ts';
import type { SyntaxNode } from './tree.ts';
import type { Visit } from './visit.ts';

const operator = /^(?:&>>|&>|>>|>\||>&|>|<<<|<<-|<<|<>|<&|<)/;
const descriptor = /^(?:[0-9]+-?|-)$/;
const networkDevice = /^\/dev\/(?:tcp|udp)(?:\/|$)/;

/** Reads one redirection and visits what stands in its target or here-document. */
export function readRedirect(redirect: SyntaxNode, visit: Visit): ShellRedirect {
  const { tree } = visit;
  const at = tree.position(redirect, 'OpPos');
  const sign = operator.exec(tree.slice(at, at + 3))?.[0] ?? '';
  const number = tree.child(redirect, 'N');
  if (number !== null && !/^[0-9]+$/.test(tree.source(number))) visit.odd('a named descriptor');
  const word = tree.child(redirect, 'Word');
  if (word === null) return untouched(visit, 'a redirection without a target');
  switch (sign) {
    case '<<':
    case '<<-':
      readDocument(redirect, word, visit);
      return none;
    case '<<<':
      visit.word(word);
      return none;
    case '<':
      return file('read', word, visit);
    case '<&':
      return readDescriptor(word, visit, 'read');
    case '>&':
      return readDescriptor(word, visit, 'write');
    case '>':
    case '>>':
    case '>|':
    case '&>':
    case '&>>':
    case '<>':
      return file('write', word, visit);
    default:
      return untouched(visit, 'a redirection of an unknown kind');
  }
}

const none: ShellRedirect = { access: 'none', target: null, paths: [] };

function untouched(visit: Visit, odd: string): ShellRedirect {
  visit.odd(odd);
  return none;
}

function file(access: 'read' | 'write', word: SyntaxNode, visit: Visit): ShellRedirect {
  const target = visit.word(word);
  if (networkDevice.test(target.text)) visit.odd('a connection to the network by redirection');
  return { access, target, paths: [] };
}

/** What means the same however often it is expanded: behind `>&` bash runs `'$(x)'` although it stands in quotes. */
const plainFile = /^[A-Za-z0-9_./@%+,:=-]+$/;

/** `2>&1` copies a descriptor, `>&file` writes a file. */
function readDescriptor(word: SyntaxNode, visit: Visit, access: 'read' | 'write'): ShellRedirect {
  const target = visit.word(word);
  if (target.kind === 'literal' && descriptor.test(target.text)) return none;
  if (access === 'read') visit.odd('a descriptor that is known only when it runs');
  if (!plainFile.test(target.text)) visit.odd('a target of >& that a shell reads twice');
  return { access, target, paths: [] };
}

/** A word that is plain or quoted as a whole. */
const plainDelimiter = /^(?:\\?[A-Za-z0-9_.-]+|'[A-Za-z0-9_. -]+'|"[A-Za-z0-9_. -]+")$/;

function readDocument(redirect: SyntaxNode, delimiter: SyntaxNode, visit: Visit): void {
  const { tree } = visit;
  const source = tree.source(delimiter);
  if (!plainDelimiter.test(source)) visit.odd('a here-document with a strange delimiter');
  const body = tree.child(redirect, 'Hdoc');
  if (body === null) return;
  const text = tree.source(body);
  const isQuoted = /^[\\'"]/.test(source);
  // Joined lines may be the delimiter for a shell, and more text for a parser.
  if (!isQuoted && text.includes('\\\n')) visit.odd('a here-document with joined lines');
  const end = source.replace(/[\\'"]/g, '');
  // For a shell the text ends there, whatever is still open in it; a parser may read on.
  const within = text.split('\n').slice(0, -1);
  if (within.some((line) => line.replace(/^\t+/, '') === end))
    visit.odd('a here-document with its delimiter in the middle');
  if (visit.isInside) insideSubstitution(text, end, visit);
  visit.document(body);
}

/** Shells differ in where a here-document ends whose substitution ends too. */
function insideSubstitution(text: string, delimiter: string, visit: Visit): void {
  const lines = text.split('\n').map((line) => line.trimStart());
  const ambiguous = lines.some((line) => line.startsWith(delimiter) && line !== delimiter);
  const closing = visit.dialect === 'old-bash' && /[()'"`\\#$]/.test(text);
  if (ambiguous || closing) visit.odd('a here-document in a substitution that shells read differently');
}
