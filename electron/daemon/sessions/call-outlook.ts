import type { Sha256 } from '../../../shared/base/ports.ts';
import { mustBeShutIn } from '../../../shared/domain/permissions/shut-in.ts';
import { maskLiteralSecrets } from '../../node/mask-secrets.ts';
import type { Store } from '../events/port.ts';
import type { PromptRow } from '../events/rows.ts';
import { callDigest, planCall, whyText } from './call-planner.ts';
import { isHostTool } from './host-tools/plan-host-tool.ts';
import type { SessionPolicy } from './session-terms.ts';
import { standingRules } from './standing-rules.ts';

/** What an outlook is made from. */
export interface OutlookPorts {
  readonly store: Pick<Store, 'session' | 'effect' | 'rules'>;
  readonly policy: SessionPolicy;
  readonly sha256: Sha256;
}

/**
 * Why the call that a prompt asks about is not run although somebody allowed it: what is denied by now stays denied. null: nothing is
 * in its way as far as its last facts tell.
 */
export function callOutlook({ store, policy, sha256 }: OutlookPorts) {
  return async (prompt: PromptRow): Promise<string | null> => {
    const [row, effect] = await Promise.all([
      store.session(prompt.session),
      prompt.call === null ? null : store.effect(prompt.call),
    ]);
    const facts = effect?.facts;
    if (!row || !facts || isHostTool(facts)) return null;
    const [config, stored] = await Promise.all([policy.config(row), store.rules(row.id)]);
    const { rules, mode } = standingRules(row, config, stored);
    const { plan, decision } = planCall({
      facts,
      mode,
      rules,
      prompt: null,
      dir: row.dir,
      self: policy.self,
      digest: callDigest(facts, mode, sha256),
      ownScratch: `${policy.self.scratch}/${row.id}`,
      sandboxAutoAllow: config.sandbox.autoAllow,
      ...(config.hookFiles === undefined ? {} : { hookFiles: config.hookFiles }),
      sandboxRequired: mustBeShutIn(facts, config.sandbox, row.dir),
      promptLifeMs: policy.promptLifeMs,
    });
    return plan.do === 'end' ? maskLiteralSecrets(whyText(decision)) : null;
  };
}
