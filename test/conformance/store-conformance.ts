import { describe } from 'vitest';
import type { OpenRig } from './store-rig.ts';
import { callBehaviours } from './store/calls.ts';
import { commitBehaviours } from './store/commits.ts';
import { effectBehaviours } from './store/effects.ts';
import { inboxBehaviours } from './store/inbox.ts';
import { promptBehaviours } from './store/prompts.ts';
import { recoveryBehaviours } from './store/recovery.ts';
import { sessionBehaviours } from './store/sessions.ts';
import { settlingBehaviours } from './store/settling.ts';
import { stepBehaviours } from './store/steps.ts';

/** The one list of behaviours that every store has to show. */
export function storeConformance(name: string, open: OpenRig): void {
  describe(name, () => {
    sessionBehaviours(open);
    inboxBehaviours(open);
    stepBehaviours(open);
    callBehaviours(open);
    settlingBehaviours(open);
    promptBehaviours(open);
    recoveryBehaviours(open);
    effectBehaviours(open);
    commitBehaviours(open);
  });
}
