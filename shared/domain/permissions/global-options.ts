import type { ShellWord } from './shell-facts.ts';

/** Options that may stand between a program and the word that says what to do, and take the next word. */
const valued: Readonly<Record<string, readonly string[]>> = {
  git: [
    '-C',
    '-c',
    '--git-dir',
    '--work-tree',
    '--namespace',
    '--config-env',
    '--super-prefix',
    '--attr-source',
  ],
  npm: ['-C', '--prefix', '-w', '--workspace', '--loglevel', '--userconfig', '--registry'],
  pnpm: ['-C', '--dir', '-F', '--filter'],
  yarn: ['--cwd'],
  docker: ['-H', '--host', '-c', '--context', '--config', '-l', '--log-level'],
  podman: ['-H', '--host', '--url', '--connection', '--log-level'],
  kubectl: [
    '-n',
    '--namespace',
    '--context',
    '--kubeconfig',
    '-s',
    '--server',
    '--cluster',
    '--user',
    '--token',
    '--as',
  ],
  helm: ['-n', '--namespace', '--kube-context', '--kubeconfig'],
  gh: ['-R', '--repo'],
  cargo: ['-C', '--config', '-Z', '--color'],
  go: ['-C'],
  aws: ['--profile', '--region', '--output', '--endpoint-url'],
  gcloud: ['--project', '--account', '--configuration'],
  terraform: [],
  systemctl: ['-H', '--host', '-M', '--machine', '-t', '--type'],
  apt: ['-o', '-c', '-t'],
  'apt-get': ['-o', '-c', '-t'],
  brew: [],
  pip: ['--python', '--log', '--proxy', '--cache-dir'],
  pip3: ['--python', '--log', '--proxy', '--cache-dir'],
};

/** The same command without the options before the word that says what to do (`git -C x push` is `git push`); others unchanged. */
export function withoutGlobalOptions(words: readonly ShellWord[]): readonly ShellWord[] {
  const [program] = words;
  if (program === undefined || !Object.hasOwn(valued, program.text)) return words;
  const options = valued[program.text] ?? [];
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = words[index];
    if (word?.kind !== 'literal') break;
    if (options.includes(word.text)) index += 1;
    else if (!/^[-+]/.test(word.text)) break;
  }
  return [program, ...words.slice(index)];
}
