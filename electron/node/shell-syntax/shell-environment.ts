type Variables = Readonly<Record<string, string>>;

/** What makes a shell read a file first, keep to other rules, or look elsewhere for a directory. */
const changing = new Set([
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'BASH_COMPAT',
  'BASH_LOADABLES_PATH',
  'BASH_XTRACEFD',
  'POSIXLY_CORRECT',
  'POSIX_PEDANTIC',
  'CDPATH',
  'GLOBIGNORE',
  'EXECIGNORE',
  'FUNCNEST',
  'IFS',
  'PS4',
  'PROMPT_COMMAND',
]);

/** The environment of a shell whose commands mean what they say: without exported functions and what changes the shell itself. */
export function shellEnvironment(variables: Variables): Variables {
  return Object.fromEntries(
    Object.entries(variables).filter(
      ([name, value]) => !changing.has(name) && !name.startsWith('BASH_FUNC_') && !value.startsWith('() {'),
    ),
  );
}
