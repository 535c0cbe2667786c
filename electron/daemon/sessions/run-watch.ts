import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { SessionConfig } from '../../../shared/domain/session-config.ts';
import type { Store } from '../events/port.ts';
import type { SessionPolicy } from './session-terms.ts';

/** A call or a background task. */
export type RunName =
  | { readonly session: string; readonly call: string }
  | { readonly session: string; readonly task: string };

/** Who wants to know what runs with all that the person may do (settings/own-settings.ts). */
export interface RunWatch {
  began(run: RunName): void;
  /** False when it was none of those. */
  ended(run: RunName): boolean;
  ran(): void;
}

/** What the verbs of a lease tell of. */
export interface Runs {
  callBegan(session: string, call: { readonly call: string; readonly facts: CallFacts }): Promise<void>;
  taskBegan(session: string, task: { readonly task: string; readonly call: string }): Promise<void>;
  /** Reads the settings at once: what is changed after this is nothing of that run. */
  ended(run: RunName): Promise<void>;
  /** The same of a hook that just ended. */
  hookRan(session: string): Promise<void>;
}

interface RunWatchPorts {
  readonly store: Pick<Store, 'session' | 'effect'>;
  readonly policy: Pick<SessionPolicy, 'config'>;
  readonly runs?: RunWatch;
}

/** Tells of commands outside the sandbox, of background tasks of such, and of calls around which hooks run. */
export function runWatch({ store, policy, runs }: RunWatchPorts): Runs {
  if (runs === undefined) return nobody;
  const read = async (session: string): Promise<SessionConfig | null> => {
    const row = await store.session(session);
    return row && policy.config(row);
  };
  return {
    callBegan: async (session, { call, facts }) => {
      if (isUnconfined(facts) || ((await read(session))?.hooks.length ?? 0) > 0)
        runs.began({ session, call });
    },
    taskBegan: async (session, { task, call }) => {
      const facts = (await store.effect(call))?.facts;
      if (!facts || isUnconfined(facts)) runs.began({ session, task });
    },
    ended: async (run) => {
      if (runs.ended(run)) await read(run.session);
    },
    hookRan: async (session) => {
      runs.ran();
      await read(session);
    },
  };
}

function isUnconfined({ access, sandboxed }: CallFacts): boolean {
  return access === 'command' && sandboxed !== true;
}

const nobody: Runs = {
  callBegan: () => Promise.resolve(),
  taskBegan: () => Promise.resolve(),
  ended: () => Promise.resolve(),
  hookRan: () => Promise.resolve(),
};
