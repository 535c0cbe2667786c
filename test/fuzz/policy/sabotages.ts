import { resolve } from 'node:path';
import type {
  ShellFacts,
  ShellPart,
  ShellRedirect,
  ShellWord,
} from '../../../shared/domain/permissions/shell-facts.ts';

/** A small fault in what is known about a command; the fuzz has to find a command that it lets through. */
export interface Sabotage {
  readonly title: string;
  /** `work`: the session directory. */
  readonly apply: (facts: ShellFacts, command: string, work: string) => ShellFacts;
}

type Parsed = Extract<ShellFacts, { readonly kind: 'parsed' }>;

function onParsed(change: (facts: Parsed, work: string) => ShellFacts): Sabotage['apply'] {
  return (facts, _, work) => (facts.kind === 'parsed' ? change(facts, work) : facts);
}

function onParts(change: (part: ShellPart, work: string) => ShellPart): Sabotage['apply'] {
  return onParsed((facts, work) => ({ ...facts, parts: facts.parts.map((part) => change(part, work)) }));
}

function onWords(change: (word: ShellWord, index: number) => ShellWord): Sabotage['apply'] {
  return onParts((part) => ({ ...part, words: part.words.map(change) }));
}

const runners = new Set(['xargs', 'exec', 'eval', 'sudo', 'setsid', 'doas']);

/** Faults of a kind that parsers and rules of this sort have had. */
export const sabotages: readonly Sabotage[] = [
  {
    title: 'only the first command of a script is looked at',
    apply: onParsed((facts) => ({ ...facts, parts: facts.parts.slice(0, 1) })),
  },
  {
    title: 'functions, coprocesses and the like are forgotten',
    apply: onParsed((facts) => ({ ...facts, odd: [] })),
  },
  {
    title: 'redirections of a command are forgotten',
    apply: onParts((part) => ({ ...part, redirects: [] })),
  },
  {
    title: 'redirections of groups and loops are forgotten',
    apply: onParsed((facts) => ({ ...facts, redirects: [] })),
  },
  {
    title: 'variables before a command are forgotten',
    apply: onParts((part) => ({ ...part, assignments: [] })),
  },
  {
    title: 'a word that is known only when it runs counts as its text',
    apply: onWords((word) => (word.kind === 'dynamic' ? { ...word, kind: 'literal' } : word)),
  },
  {
    title: 'a word with a pattern counts as its text',
    apply: onWords((word) => (word.kind === 'pattern' ? { ...word, kind: 'literal' } : word)),
  },
  {
    title: 'commands in substitutions are forgotten',
    apply: onParsed((facts) => ({
      ...facts,
      parts: facts.parts.filter(
        (part) => !facts.parts.some((other) => other !== part && other.source.includes(part.source)),
      ),
    })),
  },
  {
    title: 'what cannot be read is split at its spaces',
    apply: (facts, command) => (facts.kind === 'unparsed' ? splitAtSpaces(command) : facts),
  },
  {
    title: 'a link counts as the place where it lies',
    apply: onParsed((facts, work) => ({
      ...facts,
      redirects: facts.redirects.map((redirect) => asNamed(redirect, work)),
      parts: facts.parts.map((part) => ({
        ...part,
        redirects: part.redirects.map((redirect) => asNamed(redirect, work)),
      })),
    })),
  },
  {
    title: 'programs that run others are all looked through',
    apply: onParts((part) => ({
      ...part,
      words: runners.has(part.words[0]?.text ?? '') ? part.words.slice(1) : part.words,
    })),
  },
  {
    title: 'a program counts by the beginning of its name',
    apply: onWords((word, index) =>
      index > 0 ? word : { ...word, text: word.text.replace(/^(ls|cat|echo|git)[a-z]+$/, '$1') },
    ),
  },
  {
    title: 'a program counts by its name, wherever it lies',
    apply: onWords((word, index) => (index > 0 ? word : { ...word, text: word.text.replace(/^.*\//, '') })),
  },
  {
    title: 'an option that is known to run programs counts as any other',
    apply: onWords((word) => ({
      ...word,
      text: word.text.replace(
        /^-(?:-(?:comp|outp|open|ext|check|use|to-)|exec|fp|fls|delete|o$|I|O)/,
        '--quiet',
      ),
    })),
  },
];

function splitAtSpaces(command: string): ShellFacts {
  const words = command.split(/\s+/).map((text): ShellWord => ({ text, kind: 'literal' }));
  const part = { source: command, assignments: [], words, redirects: [] };
  return { kind: 'parsed', parts: [part], redirects: [], odd: [] };
}

function asNamed(redirect: ShellRedirect, work: string): ShellRedirect {
  const { target } = redirect;
  return target?.kind === 'literal' ? { ...redirect, paths: [resolve(work, target.text)] } : redirect;
}
