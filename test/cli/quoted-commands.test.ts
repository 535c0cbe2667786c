import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandTable } from '../../electron/cli/command-table.ts';
import { root } from '../support/real/checkout.ts';

/** Text that stands behind a comment sign is for us, not for people. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Every `kairos <word> [word]` that a text of the product quotes: lower-case words behind the lower-case name. */
function quoted({ path, text }: Source): { path: string; words: string[] }[] {
  const literals = withoutComments(text).match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [];
  return literals
    .filter((literal) => !/^['"](?:\.|node:)/.test(literal))
    .flatMap((literal) => [...literal.matchAll(/\bkairos ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g)])
    .map(([, first = '', second]) => ({ path, words: second === undefined ? [first] : [first, second] }));
}

/** Families such as `daemon` need their second word; behind a command may stand anything. */
function exists(words: readonly string[]): boolean {
  const paths = commandTable.map(({ path }) => path);
  return paths.includes(words.join(' ')) || paths.includes(words[0] ?? '');
}

/** Sentences in which the name stands for the program, not for a command. */
const sentences = new Set(['does', 'is']);

/** Only the text of the product's own files; most of them never name the program and are not looked at any further. */
function productTexts(): Source[] {
  return globSync('{electron,shared,renderer}/**/*.{ts,tsx,mjs}', { cwd: root })
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => text.includes('kairos '));
}

// It reads a thousand files: 0.1 s on a quiet machine, many times that where they have to come from a busy disk.
const loadedMachineMs = 30_000;

test('every command that a text of the product names is one of the command line', {
  timeout: loadedMachineMs,
}, () => {
  const sources = productTexts();
  const found = sources.flatMap(quoted).filter(({ words }) => !sentences.has(words[0] ?? ''));
  expect({ wrong: found.filter(({ words }) => !exists(words)), enough: found.length > 40 }).toEqual({
    wrong: [],
    enough: true,
  });
});
