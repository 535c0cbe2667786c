import { pathToFileURL } from 'node:url';
import type { Core } from './compose.ts';

/** Set by the bundler for crash tests only; everywhere else the code below vanishes from the program. */
declare const __CRASH_POINTS__: boolean | undefined;

/** A platform of the crash suite: takes messages in and out over the same ports as a channel will. */
interface StandIn {
  attach(core: Core, env: Readonly<Record<string, string | undefined>>): Promise<() => Promise<void>>;
}

/**
 * In a build for crash tests, connects the platform stand-in that KAIROS_STAND_IN names (path of a module), so that the
 * boundaries of deliveries can be crossed before real channels exist; undefined in every other build.
 */
export async function attachStandIn(
  core: Core,
  env: Readonly<Record<string, string | undefined>>,
): Promise<(() => Promise<void>) | undefined> {
  if (typeof __CRASH_POINTS__ === 'undefined' || __CRASH_POINTS__ !== true) return undefined;
  const path = env.KAIROS_STAND_IN;
  if (path === undefined) return undefined;
  const standIn = (await import(pathToFileURL(path).href)) as StandIn;
  return standIn.attach(core, env);
}
