import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KairosError } from '../../shared/base/errors.ts';
import { systemClock } from '../node/clock.ts';
import { homeLayout, homePath } from '../node/home.ts';
import { createSystemIds } from '../node/ids.ts';
import { productVersion } from '../node/product-version.ts';
import type { CliContext, EndSignal } from './context.ts';
import { ownName } from './output/own-name.ts';
import { streamOutput } from './output/stream-output.ts';
import { runCli } from './run-cli.ts';

const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function onSignal(listener: (signal: EndSignal) => void): () => void {
  for (const signal of endSignals) process.on(signal, listener);
  return () => {
    for (const signal of endSignals) process.off(signal, listener);
  };
}

/** The folder with the bundles; run from the sources, that of the last build. */
function programsFolder(): string {
  const fromSource = import.meta.url.endsWith('.ts');
  return fileURLToPath(new URL(fromSource ? '../../dist' : '.', import.meta.url));
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    const next = 'Change to a folder that exists: cd ~';
    throw new KairosError('cwd-missing', 'The folder you are in does not exist any more.', { next });
  }
}

/** `npm start` runs in the checkout; what is meant is where the person stands. */
function standsIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: initial } = process.env;
  if (script === 'start' && initial !== undefined) return initial;
  try {
    return process.cwd();
  } catch {
    // A folder that is gone is in no checkout; the command itself says that it is gone.
    return parse(process.execPath).root;
  }
}

const programs = programsFolder();
let program: string | undefined;

const context: CliContext = {
  env: process.env,
  get cwd() {
    return currentFolder();
  },
  clock: systemClock,
  ids: createSystemIds(systemClock),
  // Looked up by the command: what is wrong with it is said like every failure.
  get home() {
    return homeLayout(homePath(process.env));
  },
  get program() {
    const entry = join(programs, '..', 'build', 'bin', 'kairos.mjs');
    program ??= ownName({ env: process.env, cwd: standsIn(), entry });
    return program;
  },
  programs,
  stdout: streamOutput(process.stdout),
  stderr: streamOutput(process.stderr),
  stdin: process.stdin,
  onSignal,
  version: productVersion,
};

// Everything has been written when this resolves; open sockets and watchers need not keep the person waiting.
process.exit(await runCli(process.argv.slice(2), context));
