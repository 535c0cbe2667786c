import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ids } from '../../../shared/base/ports.ts';
import type { SandboxConfig } from '../../../shared/domain/sandbox.ts';
import { seatbeltProfile, type SeatbeltTerms } from '../../node/seatbelt-profile.ts';
import type { Command, Entered } from './entered.ts';
import { insideEnvironment } from './inside-environment.ts';
import type { LinkedRepository } from './linked-repository.ts';
import { type Mount, orderMounts } from './mounts.ts';
import { openLoopback } from './network.ts';
import { type InsidePlaces, insidePlaces } from './places.ts';
import { restoreWatched } from './protected-entries.ts';

/** How the names of what belongs to one command begin, in the sandbox's own folder: its temp folder and its profile. */
export const ownPrefixes = ['temp-', 'profile-'] as const;

/** Temp folders of the machine: other programs' files lie there. */
const machineTemp: readonly Mount[] = ['/private/tmp', '/private/var/tmp'].map((path) => ({
  kind: 'hide',
  path,
  folder: true,
}));

/** One command on a Mac. `program`: sandbox-exec. `folder`: the sandbox's own, hidden from what runs. */
export interface SeatbeltCommand {
  readonly program: string;
  readonly command: Command;
  readonly dir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: SandboxConfig;
  readonly home: string;
  readonly scratch: string;
  readonly folder: string;
  readonly linked: LinkedRepository | null;
  readonly ids: Ids;
}

/** Makes it ready to run under Seatbelt. Throws KairosError `no_place`; then nothing of it is left. */
export async function enterSeatbelt(what: SeatbeltCommand): Promise<Entered> {
  const { program, command, dir, environment, config, home, scratch, folder, linked, ids } = what;
  const name = ids.random(8);
  const [temp, profile] = ownPrefixes.map((prefix) => join(folder, `${prefix}${name}`)) as [string, string];
  const places = await insidePlaces({
    grounds: { dir, home, scratch },
    config,
    own: folder,
    personHome: environment.HOME,
    linked,
  });
  const network = await openLoopback(config, home);
  const remove = async (): Promise<readonly string[]> => {
    const refused = (await network?.close()) ?? [];
    await Promise.all([temp, profile].map((path) => rm(path, { recursive: true, force: true })));
    return refused;
  };
  try {
    const ports = network === null ? [] : [network.proxyPort, ...network.ports];
    const text = seatbeltProfile({ ...(await seatbeltPlaces(places, temp)), ports });
    await mkdir(temp, { mode: 0o700 });
    await writeFile(profile, text, { mode: 0o600 });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    program,
    args: ['-f', profile, command.program, ...command.args],
    env: insideEnvironment(environment, { proxyPort: network?.proxyPort ?? null, temp }),
    filter: null,
    async leave() {
      const refused = await remove();
      return [...(await restoreWatched(places.entries, ids)), ...refused];
    },
  };
}

/** The same places as bubblewrap's, in one list; what may not be made is forbidden by its path, which a mount cannot do. */
export async function seatbeltPlaces(
  { mounts, entries }: InsidePlaces,
  temp: string,
): Promise<Pick<SeatbeltTerms, 'places' | 'absent'>> {
  const links = entries.watched.filter(({ link }) => link !== null);
  const absent = entries.watched.filter(({ link }) => link === null);
  const places = orderMounts([
    ...machineTemp,
    ...mounts.outer,
    ...mounts.inner,
    ...links.map(({ path }): Mount => ({ kind: 'read', path, folder: false })),
    { kind: 'write', path: temp, folder: true },
  ]);
  const firsts = await Promise.all(absent.map(({ path }) => firstMissing(path)));
  return { places: places.map(({ kind, path }) => ({ kind, path })), absent: [...new Set(firsts)] };
}

/** The outermost part of a path that is not there: a folder that is moved to its name brings along what lies in it. */
async function firstMissing(path: string): Promise<string> {
  const folder = dirname(path);
  const isThere = await lstat(folder).then(
    () => true,
    () => false,
  );
  return isThere ? path : firstMissing(folder);
}
