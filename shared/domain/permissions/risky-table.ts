/** Options of a program that make it run another one, load code, or write a file that its name does not tell. */
export interface Risky {
  /** Long ones without the two dashes; an abbreviation counts as the whole. */
  readonly long?: string;
  /** Letters of short ones, also inside of `-xvf`. */
  readonly short?: string;
  /** Whole words, each also as the beginning of one. */
  readonly words?: string;
  /** First words without a dash that are options too (`tar xIf`). */
  readonly bundled?: true;
  /** A sign that no word may contain (`host:archive`). */
  readonly sign?: string;
  /** The word after the program's name for which this holds; absent: all. */
  readonly only?: string;
}

/** What is risky about programs, by their names. */
export const riskyTable: Readonly<Record<string, readonly Risky[]>> = {
  git: [
    {
      long: 'upload-pack receive-pack exec open-files-in-pager config template ext-diff textconv output paginate extcmd',
    },
    { short: 'O', only: 'grep' },
    { short: 'x', only: 'rebase' },
    { short: 's', long: 'strategy', only: 'rebase' },
    { short: 'cu', only: 'clone' },
    { short: 'u', only: 'fetch-pack' },
    { words: 'foreach ext::', only: 'submodule' },
    { words: 'ext:: fd::' },
    { short: 's', long: 'strategy', only: 'merge' },
  ],
  find: [{ words: '-exec -ok -delete -fprint -fls' }],
  fd: [{ long: 'exec exec-batch', short: 'xX' }],
  fdfind: [{ long: 'exec exec-batch', short: 'xX' }],
  rg: [{ long: 'pre hostname-bin' }],
  ag: [{ long: 'pager' }],
  ack: [{ long: 'pager' }],
  sort: [{ long: 'compress-program output', short: 'o' }],
  split: [{ long: 'filter' }],
  csplit: [{ long: 'prefix' }],
  sed: [{ long: 'in-place expression file', short: 'ief' }],
  tar: tar(),
  bsdtar: tar(),
  gtar: tar(),
  cpio: [{ long: 'rsh-command to-command', short: 'F' }],
  zip: [{ long: 'test unzip-command', short: 'T' }],
  rsync: [{ long: 'rsh rsync-path daemon config', short: 'eM' }],
  scp: [{ short: 'SoDF' }],
  sftp: [{ short: 'SobDF' }],
  curl: [
    {
      long: 'config output remote-name remote-name-all output-dir dump-header cookie-jar trace trace-ascii stderr upload-file engine etag-save hsts alt-svc libcurl',
      short: 'oOKDcJT',
    },
  ],
  wget: [
    {
      long: 'execute use-askpass config output-document output-file append-output directory-prefix post-file body-file save-cookies input-file',
      short: 'eOoaPi',
    },
  ],
  less: [{ words: '+', long: 'log-file LOG-FILE lesskey-file lesskey-src', short: 'oOk' }],
  more: [{ words: '+' }],
  man: [{ long: 'pager html preprocessor config-file', short: 'PHCp' }],
  make: [
    {
      long: 'file makefile eval directory include-dir',
      short: 'fCIE',
      words: 'SHELL= CC= CXX= MAKEFLAGS= MAKE=',
    },
  ],
  gmake: [
    { long: 'file makefile eval directory include-dir', short: 'fCIE', words: 'SHELL= MAKEFLAGS= MAKE=' },
  ],
  ninja: [{ short: 'fC' }],
  npm: [
    {
      long: 'script-shell call node-options globalconfig userconfig prefix git editor viewer browser shell',
      short: 'cC',
    },
  ],
  pnpm: [{ long: 'script-shell shell-mode dir config', short: 'cC' }],
  yarn: [{ long: 'script-shell cwd use-yarnrc' }],
  bun: [{ long: 'preload config eval print cwd', short: 'rep' }],
  deno: [{ long: 'allow-all allow-run allow-ffi config import-map', short: 'Ac' }],
  go: [{ words: '-exec -toolexec -vettool -C -overlay -modfile --exec --toolexec --vettool' }],
  cargo: [{ long: 'config manifest-path', short: 'ZC', words: '+' }],
  rustc: [{ short: 'CZ', long: 'codegen' }],
  gcc: compiler(),
  'g++': compiler(),
  cc: compiler(),
  'c++': compiler(),
  clang: compiler(),
  'clang++': compiler(),
  ld: [{ words: '-plugin --plugin -dynamic-linker' }],
  openssl: [{ words: '-engine -provider' }],
  dpkg: [{ words: '--pre-invoke --post-invoke --admindir --root --instdir' }],
  apt: [{ short: 'oc', long: 'option config-file' }],
  'apt-get': [{ short: 'oc', long: 'option config-file' }],
  kubectl: [{ long: 'kubeconfig editor' }],
  docker: [{ long: 'host context config', short: 'H' }],
  nmap: [{ long: 'script datadir', short: 'o' }],
  pip: [{ long: 'config-settings global-option python' }],
  pytest: [{ short: 'pco', long: 'rootdir confcutdir config-file override-ini pyargs pdbcls' }],
  jest: [{ long: 'config globalSetup runner testRunner setupFiles', short: 'c' }],
  vitest: [{ long: 'config root', short: 'cr' }],
  eslint: [{ long: 'config rulesdir resolve-plugins-relative-to parser plugin', short: 'c' }],
  date: [{ long: 'set', short: 's' }],
};

function tar(): readonly Risky[] {
  return [
    {
      long: 'use-compress-program to-command checkpoint-action info-script new-volume-script rmt-command rsh-command',
      short: 'IF',
      bundled: true,
      sign: ':',
    },
  ];
}

function compiler(): readonly Risky[] {
  return [{ words: '-wrapper -fplugin -specs --specs -B -Xclang -load @ -fuse-ld -Xlinker' }];
}
