import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KairosError } from '../../../shared/base/errors.ts';
import type { Ids } from '../../../shared/base/ports.ts';
import type { SandboxConfig } from '../../../shared/domain/sandbox.ts';
import { findSandbox, type SandboxState } from '../../node/sandbox-state.ts';
import { bubblewrapArgs } from './bubblewrap.ts';
import { insideEnvironment } from './inside-environment.ts';
import { insidePlaces } from './places.ts';
import { restoreWatched } from './protected-entries.ts';
import { openNetwork, socketPrefix } from './network.ts';
import { seccompFilter } from './seccomp-filter.ts';

/** What the sandbox of a session works with; paths are absolute. */
export interface SandboxPorts {
  /** What holds now. */
  readonly config: () => Promise<SandboxConfig>;
  readonly home: string;
  readonly scratch: string;
  readonly ids: Ids;
}

/** A program with its arguments instead of a shell's. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** A command made ready to run shut in. */
export interface Entered extends Command {
  readonly env: Readonly<Record<string, string>>;
  /** Open descriptor that the child needs as number 3, and closes with it. */
  readonly filter: number;
  /** Call it when the command has ended or could not be started; clauses for the model about what was kept out. */
  leave(): Promise<readonly string[]>;
}

/** The descriptor on which a shut-in child finds the filter. */
export const filterFd = 3;
/** Where it tells the pid of what is inside. */
export const infoFd = 4;

/** Without network, without more than the session directory: what a person and the model have to know, in words. */
export function sandboxWords({ allow, write }: SandboxConfig): string {
  const hosts = allow.length === 0 ? 'no network' : `network only to ${allow.join(', ')}`;
  const more = write.length === 0 ? '' : ` and ${write.join(', ')}`;
  return `writes only in the session directory${more}; ${hosts}`;
}

let known: Promise<SandboxState> | null = null;

/** Asked once per process while it works; a sandbox that is missing may be installed meanwhile. */
export async function knownSandboxState(): Promise<SandboxState> {
  known ??= findSandbox();
  const state = await known;
  if (state.kind === 'missing') known = null;
  return state;
}

/** Files of ours in the session's scratch folder; what runs inside does not see them. */
export const ownFolder = '.sandbox';
const filterName = 'filter.bpf';
/** What is /tmp inside, kept from command to command. */
const tempFolder = 'tmp';

/** The sandbox of one session's commands. */
export class SessionSandbox {
  readonly #ports: SandboxPorts;
  #folder: Promise<string> | null = null;

  constructor(ports: SandboxPorts) {
    this.#ports = ports;
  }

  config(): Promise<SandboxConfig> {
    return this.#ports.config();
  }

  state(): Promise<SandboxState> {
    return knownSandboxState();
  }

  /** Makes it ready. Throws KairosError `no_sandbox` or `no_place`; then nothing of it is left. */
  async enter(
    command: Command,
    { dir, environment }: { readonly dir: string; readonly environment: Readonly<Record<string, string>> },
  ): Promise<Entered> {
    const { home, scratch, ids } = this.#ports;
    const [config, state] = await Promise.all([this.config(), this.state()]);
    if (state.kind === 'missing') throw new KairosError('no_sandbox', state.why, { next: state.next });
    const folder = await this.#ownFolder();
    const places = await insidePlaces({ dir, home, scratch }, config, folder, environment.HOME);
    const network = await openNetwork({ config, state, folder, home, ids });
    const filter = openSync(join(folder, filterName), 'r');
    const args = bubblewrapArgs({
      bubblewrap: state.bubblewrap,
      mounts: places.mounts,
      cwd: dir,
      temp: join(folder, tempFolder),
      filterFd,
      infoFd,
      isRoot: process.getuid?.() === 0,
      network: network?.way ?? null,
    });
    return {
      program: state.bubblewrap.program,
      args: [...args, command.program, ...command.args],
      env: insideEnvironment(environment, network !== null),
      filter,
      async leave() {
        closeSync(filter);
        const refused = (await network?.close()) ?? [];
        return [...(await restoreWatched(places.entries, ids)), ...refused];
      },
    };
  }

  /** What a worker that was killed left there is taken away; nothing that runs inside could change the folder. */
  #ownFolder(): Promise<string> {
    this.#folder ??= makeOwnFolder(join(this.#ports.scratch, ownFolder));
    this.#folder.catch(() => {
      this.#folder = null;
    });
    return this.#folder;
  }
}

async function makeOwnFolder(folder: string): Promise<string> {
  const filter = seccompFilter(process.arch);
  if (filter === null)
    throw new KairosError('no_sandbox', `The sandbox does not know processors of the kind ${process.arch}.`, {
      next: 'Set sandbox.mode to off: every command then asks.',
    });
  await mkdir(join(folder, tempFolder), { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder))
    if (name.startsWith(socketPrefix)) await rm(join(folder, name), { force: true });
  await writeFile(join(folder, filterName), filter, { mode: 0o600 });
  return folder;
}
