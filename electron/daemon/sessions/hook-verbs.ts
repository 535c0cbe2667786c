import { canonicalJson } from '../../../shared/base/json.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import { matchesName } from '../../../shared/domain/hooks/matcher.ts';
import { hookName } from '../../../shared/domain/hooks/rules.ts';
import type { VerdictOutcome } from '../../../shared/domain/prompts.ts';
import type { LinkInput, LinkOutput } from '../../../shared/protocol/worker-link.ts';
import { maskLiteralSecrets } from '../../node/mask-secrets.ts';
import type { Store } from '../events/port.ts';
import { GateHealth } from './gate-health.ts';
import { hookTerms } from './hook-terms.ts';
import { type RunWatch, runWatch } from './run-watch.ts';
import type { SessionPolicy } from './session-terms.ts';

/** What these verbs work with. */
export interface HookVerbPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly policy: Pick<SessionPolicy, 'config'>;
  /** Is told that hooks ran; absent: nobody wants to know. */
  readonly runs?: RunWatch;
  /** Keeps which guards do not work; absent: nobody is told outside of the session. */
  readonly gates?: GateHealth;
}

type HookVerb = 'hookRan' | 'hookWell' | 'hookVerdict';
type HookVerbs = {
  readonly [Verb in HookVerb]: (session: string, input: LinkInput<Verb>) => Promise<LinkOutput<Verb>>;
};

/** What hooks did and decided. */
export function hookVerbs(ports: HookVerbPorts): HookVerbs {
  const runs = runWatch(ports);
  const { gates = new GateHealth(undefined) } = ports;
  return {
    hookRan: async (session, ran) => {
      await runs.hookRan(session);
      const text = oneLine(maskLiteralSecrets(ran.text), 1_000);
      const told = { ...ran, hook: maskLiteralSecrets(ran.hook), text };
      await ports.store.noteHook(session, gates.failed(session, told));
      return {};
    },
    hookWell: async (session, { hook, event }) => {
      await runs.hookRan(session);
      gates.well({ hook: maskLiteralSecrets(hook), event });
      return {};
    },
    hookVerdict: async (session, input) => {
      const refused = await takeVerdict(ports, session, input);
      if (refused !== null && refused !== tooLate) await tellRefusal(ports.store, session, input, refused);
      return { refused };
    },
  };
}

/** The verdict of a PermissionRequest hook counts like a person's "once", where it may; null: it did, else why not. */
async function takeVerdict(
  { store, clock, policy }: HookVerbPorts,
  session: string,
  { call, code, behavior, reason, rule }: LinkInput<'hookVerdict'>,
): Promise<string | null> {
  const [row, effect] = await Promise.all([store.session(session), store.effect(call)]);
  const prompt = effect?.prompt ? await store.prompt(effect.prompt) : null;
  if (!row || effect?.session !== session || prompt?.code !== code)
    return 'Nothing is asked about that call.';
  if (prompt.kind !== 'approval') return 'Only approvals are decided by hooks.';
  const held = hookTerms(row, await policy.config(row)).rules.map((each) => canonicalJson(each));
  const isMeant = rule.event === 'PermissionRequest' && matchesName(rule.matcher, effect.tool ?? '');
  if (!isMeant || !held.includes(canonicalJson(rule))) return 'That hook does not hold any more.';
  if (behavior === 'allow' && !rule.mayAllow) return 'Hooks of a project may not allow.';
  // Rules, protection and other hooks that ask want a person; a hook stands in only where nothing but the mode asks.
  if (behavior === 'allow' && effect.decision?.by.startsWith('mode ') !== true)
    return 'What asks here asks a person.';
  const verdict = behavior === 'allow' ? { behavior, scope: 'once' as const } : { behavior, reason };
  const by = { surface: 'hook', principal: `hook (${hookName(rule)})`, at: clock.now() };
  const { outcome } = await store.claimPrompt({ code: prompt.id, verdict, by });
  return refusalOf(outcome);
}

function refusalOf(outcome: VerdictOutcome): string | null {
  return outcome === 'accepted' ? null : tooLate;
}

const tooLate = 'It is decided already.';

async function tellRefusal(
  store: Store,
  session: string,
  { call, rule, behavior }: LinkInput<'hookVerdict'>,
  refused: string,
): Promise<void> {
  const text = `said "${behavior}", which does not count: ${refused}`;
  const hook = maskLiteralSecrets(hookName(rule));
  await store.noteHook(session, { hook, event: rule.event, outcome: 'failed', text, call });
}
