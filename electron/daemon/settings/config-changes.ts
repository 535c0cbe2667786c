import { canonicalJson } from '../../../shared/base/json.ts';
import type { SessionConfig } from '../../../shared/domain/session-config.ts';
import type { WorkingSession } from './config-watch.ts';

type ReadConfig = (session: WorkingSession) => Promise<SessionConfig>;

/**
 * The same reading, which calls `changed` where what decides about calls is not what it was at the last reading for that directory.
 * Files are looked at when something reads, so a change is noticed then; what is read first has nothing to differ from.
 */
export function noticingChanges(read: ReadConfig, changed: () => void): ReadConfig {
  const last = new Map<string, string>();
  return async (session) => {
    const config = await read(session);
    const place = canonicalJson([session.dir, session.sandbox]);
    const now = deciding(config);
    const before = last.get(place);
    last.set(place, now);
    if (before !== undefined && before !== now) changed();
    return config;
  };
}

/** Rules given with a session never change. */
function deciding({ rules, onlyManagedRules, bypassDisabled, sandbox, hookFiles }: SessionConfig): string {
  const ofFiles = rules.filter(({ source }) => source !== 'command_line');
  return canonicalJson({
    rules: ofFiles,
    onlyManagedRules,
    bypassDisabled,
    sandbox,
    hookFiles: hookFiles ?? [],
  });
}
