import type { ShellWord } from './shell-facts.ts';
import { isShell, programName } from './wrappers.ts';

/** What a command hands to a shell. `literal`: the script's text; `unknown`: something that cannot be read here; null: nothing. */
export type InnerScript =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'unknown' }
  | null;

/** The script that the words themselves hand to a shell (`sh -c ...`, `eval ...`, `env -S`, `su -c`). */
export function innerScript(words: readonly ShellWord[]): InnerScript {
  const first = words[0];
  if (first?.kind !== 'literal') return null;
  const name = programName(first.text);
  const rest = words.slice(1);
  if (isShell(name)) return shellScript(rest);
  if (name === 'source' || name === '.') return sourced(rest);
  if (name === 'alias') return aliased(rest);
  const skipped = Object.hasOwn(joining, name) ? joining[name] : undefined;
  if (skipped !== undefined) return joined(rest, skipped);
  const options = Object.hasOwn(scriptOptions, name) ? scriptOptions[name] : undefined;
  return options === undefined ? null : optionScript(rest, options);
}

/** Commands that run their words as a script, and how many words come before it. */
const joining: Readonly<Record<string, number>> = { eval: 0, trap: 0, watch: 0, ssh: 1 };

/** Options of other programs whose value is a script. */
const scriptOptions: Readonly<Record<string, { readonly long: readonly string[]; readonly short: string }>> =
  {
    su: { long: ['command', 'session-command'], short: 'c' },
    runuser: { long: ['command', 'session-command'], short: 'c' },
    script: { long: ['command'], short: 'c' },
    flock: { long: ['command'], short: 'c' },
    env: { long: ['split-string'], short: 'S' },
    git: { long: ['exec'], short: 'x' },
    mapfile: { long: [], short: 'C' },
    readarray: { long: [], short: 'C' },
    complete: { long: [], short: 'CWF' },
    compgen: { long: [], short: 'CWF' },
    fc: { long: [], short: 'e' },
    bind: { long: [], short: 'x' },
  };

/** A file is a script that nobody has read yet; what comes out of a descriptor or a substitution is made by the command itself. */
function sourced(rest: readonly ShellWord[]): InnerScript {
  const file = rest.find(({ kind, text }) => kind !== 'literal' || text !== '--');
  return file !== undefined && (file.kind !== 'literal' || isDescriptor(file.text))
    ? { kind: 'unknown' }
    : null;
}

function isDescriptor(path: string): boolean {
  return /^\/(?:dev|proc)\//.test(path);
}

/** What a name will stand for, where the shell looks at aliases. */
function aliased(rest: readonly ShellWord[]): InnerScript {
  if (rest.some(({ kind }) => kind !== 'literal')) return { kind: 'unknown' };
  const values = rest.flatMap(({ text }) => (text.includes('=') ? [text.slice(text.indexOf('=') + 1)] : []));
  return values.length === 0 ? null : { kind: 'literal', text: values.join('\n') };
}

function joined(rest: readonly ShellWord[], skipped: number): InnerScript {
  const begin = rest.findIndex(({ kind, text }) => kind !== 'literal' || !text.startsWith('-'));
  const words = begin === -1 ? [] : rest.slice(begin + skipped);
  if (words.length === 0) return null;
  if (rest.some(({ kind }) => kind !== 'literal')) return { kind: 'unknown' };
  return { kind: 'literal', text: words.map(({ text }) => text).join(' ') };
}

function shellScript(rest: readonly ShellWord[]): InnerScript {
  if (rest.length === 1 && /^--(?:version|help)$/.test(rest[0]?.text ?? '')) return null;
  let asked = false;
  for (const { kind, text } of rest) {
    if (kind !== 'literal') return { kind: 'unknown' };
    if (/^[-+][A-Za-z]*c[A-Za-z]*$/.test(text)) asked = true;
    else if (text.startsWith('-') || text.startsWith('+')) continue;
    else if (asked) return { kind: 'literal', text };
    else if (isDescriptor(text)) return { kind: 'unknown' };
    // The value of an option ("-o pipefail") or the name of a script: no text that we could read.
    else if (!/^[a-z]+$/.test(text)) return null;
  }
  return { kind: 'unknown' };
}

function optionScript(
  rest: readonly ShellWord[],
  options: { readonly long: readonly string[]; readonly short: string },
): InnerScript {
  for (const [index, { kind, text }] of rest.entries()) {
    const behind = valueIn(text, options);
    if (behind === null) continue;
    const value = behind === '' ? rest[index + 1] : { kind, text: behind };
    if (value === undefined) return null;
    return value.kind === 'literal' ? { kind: 'literal', text: value.text } : { kind: 'unknown' };
  }
  return null;
}

/** What is glued to an option that takes a script; empty: the next word is it; null: no such option. */
function valueIn(
  text: string,
  { long, short }: { readonly long: readonly string[]; readonly short: string },
): string | null {
  const [, name = '', , value] = /^--([a-z-]+)(=([\s\S]*))?$/.exec(text) ?? [];
  if (name !== '') return long.some((option) => option.startsWith(name)) ? (value ?? '') : null;
  if (!text.startsWith('-')) return null;
  const at = [...text].findIndex((letter, index) => index > 0 && short.includes(letter));
  return at === -1 ? null : text.slice(at + 1);
}
