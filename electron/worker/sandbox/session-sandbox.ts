import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertNever } from '../../../shared/base/assert-never.ts';
import { KairosError } from '../../../shared/base/errors.ts';
import type { Ids } from '../../../shared/base/ports.ts';
import type { SandboxConfig } from '../../../shared/domain/sandbox.ts';
import {
  type Bubblewrap,
  findSandbox,
  type SandboxMeans,
  type SandboxState,
} from '../../node/sandbox-state.ts';
import { bubblewrapArgs, proxyPort } from './bubblewrap.ts';
import type { Command, Entered } from './entered.ts';
import { insideEnvironment } from './inside-environment.ts';
import { isSameRepository, type LinkedRepository, linkedRepository } from './linked-repository.ts';
import { insidePlaces } from './places.ts';
import { restoreWatched } from './protected-entries.ts';
import { openNetwork, socketPrefix } from './network.ts';
import { enterSeatbelt, ownPrefixes, type SeatbeltCommand } from './seatbelt.ts';
import { seccompFilter } from './seccomp-filter.ts';

/** What the sandbox of a session works with; paths are absolute. */
export interface SandboxPorts {
  /** What holds now. */
  readonly config: () => Promise<SandboxConfig>;
  readonly home: string;
  readonly scratch: string;
  readonly ids: Ids;
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
  #firstLinked: Promise<LinkedRepository | null> | null = null;

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
    const folder = await this.#ownFolder(state.by);
    const linked = await this.#linkedRepository(dir);
    const what = { command, dir, environment, config, home, scratch, folder, linked, ids };
    switch (state.by) {
      case 'seatbelt':
        return enterSeatbelt({ ...what, program: state.program });
      case 'bubblewrap':
        return enterBubblewrap({ ...what, ...state });
      default:
        return assertNever(state, 'kind of sandbox');
    }
  }

  /** As it was before the first command; what looks like another by now is not believed. */
  async #linkedRepository(dir: string): Promise<LinkedRepository | null> {
    this.#firstLinked ??= linkedRepository(dir);
    const [first, now] = await Promise.all([this.#firstLinked, linkedRepository(dir)]);
    return isSameRepository(first, now) ? now : null;
  }

  /** What a worker that was killed left there is taken away; nothing that runs inside could change the folder. */
  #ownFolder(by: SandboxMeans['by']): Promise<string> {
    this.#folder ??= makeOwnFolder(join(this.#ports.scratch, ownFolder), by);
    this.#folder.catch(() => {
      this.#folder = null;
    });
    return this.#folder;
  }
}

interface BubblewrapCommand extends Omit<SeatbeltCommand, 'program'> {
  readonly bubblewrap: Bubblewrap;
  readonly socat: string | null;
}

async function enterBubblewrap(what: BubblewrapCommand): Promise<Entered> {
  const { command, dir, environment, config, home, scratch, folder, linked, ids, bubblewrap, socat } = what;
  const places = await insidePlaces({
    grounds: { dir, home, scratch },
    config,
    own: folder,
    personHome: environment.HOME,
    linked,
  });
  const network = await openNetwork({ config, socat, folder, home, ids });
  const filter = openSync(join(folder, filterName), 'r');
  const args = bubblewrapArgs({
    bubblewrap,
    mounts: places.mounts,
    cwd: dir,
    temp: join(folder, tempFolder),
    filterFd,
    infoFd,
    isRoot: process.getuid?.() === 0,
    network: network?.way ?? null,
  });
  return {
    program: bubblewrap.program,
    args: [...args, command.program, ...command.args],
    env: insideEnvironment(environment, { proxyPort: network === null ? null : proxyPort, temp: '/tmp' }),
    filter,
    async leave() {
      closeSync(filter);
      const refused = (await network?.close()) ?? [];
      return [...(await restoreWatched(places.entries, ids)), ...refused];
    },
  };
}

async function makeOwnFolder(folder: string, by: SandboxMeans['by']): Promise<string> {
  await mkdir(join(folder, tempFolder), { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder))
    if ([socketPrefix, ...ownPrefixes].some((prefix) => name.startsWith(prefix)))
      await rm(join(folder, name), { recursive: true, force: true });
  if (by === 'bubblewrap') await writeFilter(join(folder, filterName));
  return folder;
}

async function writeFilter(path: string): Promise<void> {
  const filter = seccompFilter(process.arch);
  if (filter === null)
    throw new KairosError('no_sandbox', `The sandbox does not know processors of the kind ${process.arch}.`, {
      next: 'Set sandbox.mode to off: every command then asks.',
    });
  await writeFile(path, filter, { mode: 0o600 });
}
