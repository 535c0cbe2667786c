import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { script } from './grammar/scripts.ts';
import { commandsOf } from './search.ts';

const commands = commandsOf(1, 20_000);

/** What has to occur in the commands, and how it looks. */
const kinds: ReadonlyArray<readonly [string, RegExp]> = [
  ['a substitution in quotes', /"[^"]*\$\([^"]*"/],
  ['a substitution with backquotes', /`marker`/],
  ['a substitution of a process', /[<>]\((?:marker|rm)/],
  ['arithmetic that runs a command', /\$\(\(a\[\$\(/],
  ['a here-document', /<<E\n/],
  ['a here-document that is taken literally', /<<'E'\n/],
  ['two here-documents', /<<A <<B/],
  ['a here-string', /<<< /],
  ['a function', /\(\) \{ /],
  ['a coprocess', /coproc /],
  ['a trap', /trap /],
  ['a test with a subscript', /\[\[ -v a\[\$\(marker\)\]/],
  ['a callback of mapfile', /mapfile -C/],
  ['printf into a subscript', /printf -v/],
  ['read into a subscript', /read 'a\[/],
  ['select', /select x in/],
  ['a nameref', /declare -n/],
  ['an alias', /alias ls=/],
  ['a traced script', /PS4=/],
  ['a network device', /\/dev\/tcp\//],
  ['a redirection to read and write', /<> ?\S/],
  ['one that overrides noclobber', />\|/],
  ['one of both outputs', /&>/],
  ['one before the program', /^[0-9]?> \S+ (?:ls|echo|cat)/],
  ['one after a change of directory', /cd sub && echo x > out\/x/],
  ['a wrapper', /timeout .*ls/],
  ['an environment for one program', /env X=1/],
  ['an option that splits a string', /env .*-S/],
  ['an abbreviated option', /--outp?[= ]|--comp=/],
  ['an action of find', /find .*-exec/],
  ['xargs', /xargs /],
  ['a program as somebody else', /sudo|doas/],
  ['a library to load', /LD_PRELOAD=/],
  ['another search path', /PATH=bin/],
  ['configuration of git', /git -c core\./],
  ['an alias of a repository', /git lg/],
  ['variables of git', /GIT_SSH_COMMAND=/],
  ['a pattern that matches names of options', /find \. \*|sort \*|tar cf - \*/],
  ['braces', /\{a,b\}/],
  ['a tilde', /~\+?\//],
  ['a name in quotes', /'l?s?'s|l''s|\\ls/],
  ['a continued line', /\\\n/],
  ['a comment', /# /],
  ['a carriage return', /\r/],
  ['a space that is none', /\u00a0/],
  ['letters that look alike', /е/],
  ['text in the other direction', /\u202e/],
  ['a combining mark', /\u0301/],
  ['half a character', /\ud800/],
  ['bytes that are no text', /\\xff/],
];

describe('The grammar', () => {
  it.each(kinds)('makes %s', (_, pattern) => {
    expect(commands.some((command) => pattern.test(command))).toBe(true);
  });

  it('makes the same commands of the same seed, most of them different from each other', () => {
    expect({
      same: commandsOf(1, 20_000).every((command, index) => command === commands[index]),
      other: commandsOf(2, 100).every((command, index) => command === commands[index]),
      different: new Set(commands).size > 10_000,
    }).toEqual({ same: true, other: false, different: true });
  });

  it('leads from the number of a command back to it, and on to shorter ones', () => {
    const index = commands.findIndex((command) => command.includes('marker') && command.length > 60);
    const path = String(index);
    const tried: string[] = [];
    const result = fc.check(
      fc.property(script, (command) => {
        tried.push(command);
        return !command.includes('marker');
      }),
      { seed: 1, path },
    );
    const shortest = result.counterexample?.[0] ?? '';
    expect([tried[0], shortest.includes('marker'), shortest.length < (commands[index]?.length ?? 0)]).toEqual(
      [commands[index], true, true],
    );
  });
});
