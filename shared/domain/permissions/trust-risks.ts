/** Variables by which other programs or libraries run than the ones that are meant. */
const steering =
  /^(?:PATH|LD_\w+|DYLD_\w+|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|SHELL|PROMPT_COMMAND|PYTHON\w+|PERL5\w+|RUBY\w+|GIT_\w+|JAVA_TOOL_OPTIONS|\w+_PROXY|EDITOR|VISUAL|PAGER)$/i;

/** What is dangerous about a directory's configuration as it is shown for trust, one short sentence each; a hint, nothing is decided by it. */
export function trustRisks(config: string): readonly string[] {
  const lines = config.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : []));
  const hooks = lines.filter((line) => line.startsWith('hook '));
  const risks = [
    ...(hooks.length === 0 ? [] : ['Its hooks run with your rights, outside the sandbox.']),
    ...hooks.flatMap(hookRisks),
    ...lines.flatMap(lineRisks),
  ];
  return [...new Set(risks)].slice(0, 6);
}

function hookRisks(line: string): string[] {
  const command = short(line.slice(line.indexOf(':') + 1).trim());
  return [
    ...(/\|\s*(?:sudo\s+)?(?:\S*\/)?(?:(?:ba|z|da|k)?sh|node|python[\d.]*|perl|ruby)\b/.test(line)
      ? [`A hook runs what another program gives out: ${command}`]
      : []),
    ...(/\b(?:curl|wget|nc|ncat|ssh|scp|Invoke-WebRequest|iwr)\b/.test(line)
      ? [`A hook uses the network: ${command}`]
      : []),
  ];
}

function lineRisks(line: string): string[] {
  if (/^allow (?:\*|Bash|Bash\((?:\*|:\*)\))$/.test(line))
    return [`Lets ${line === 'allow *' ? 'every tool' : 'every command'} run without a question: ${line}`];
  if (/^allow (?:Write|Edit|MultiEdit)(?:\(\*\*?\))?$/.test(line))
    return [`Lets every file be changed without a question: ${line}`];
  const name = /^env (\w+)(?:=| \()/.exec(line)?.[1];
  if (name !== undefined && steering.test(name))
    return [`Changes which programs or libraries run: env ${name}`];
  if (
    line.startsWith('sandbox: ') &&
    !/^sandbox: (?:runs in it|cannot reach|hides|what runs in it asks)/.test(line)
  )
    return [`Loosens the sandbox: ${short(line.slice(9))}`];
  return [];
}

function short(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
