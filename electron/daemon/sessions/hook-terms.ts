import { canonicalJson } from '../../../shared/base/json.ts';
import { type HookRule, hookName, hookRules } from '../../../shared/domain/hooks/rules.ts';
import type { SessionConfig } from '../../../shared/domain/session-config.ts';
import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import type { Lease, LinkVerb } from '../../../shared/protocol/worker-link.ts';
import { maskLiteralSecrets } from '../../node/mask-secrets.ts';
import type { Store } from '../events/port.ts';
import type { SessionRow } from '../events/rows.ts';
import { countedMode } from './standing-rules.ts';

/** The hooks that hold in a session now, and the mode that they are told. */
export interface HookTerms {
  readonly rules: readonly HookRule[];
  readonly mode: PermissionMode;
}

/** What the settings of every source mean for a session's hooks. */
export function hookTerms(row: Pick<SessionRow, 'mode'>, config: SessionConfig): HookTerms {
  return {
    rules: hookRules(config.hooks, config.projectHooksAllow),
    mode: countedMode(row.mode, config),
  };
}

/** How hooks are named where it is stored what they did. */
export function hookNames({ rules }: Pick<HookTerms, 'rules'>): readonly { hook: string; event: string }[] {
  return rules.map((rule) => ({ hook: maskLiteralSecrets(hookName(rule)), event: rule.event }));
}

/** Events of a session that are looked at for the end of its first turn. */
const firstEvents = 100;

/** The hooks of a new lease. A session whose first turn is not over begins. */
export async function leaseHooks(
  store: Pick<Store, 'events'>,
  session: string,
  { rules }: HookTerms,
): Promise<NonNullable<Lease['hooks']>> {
  if (!rules.some(({ event }) => event === 'SessionStart')) return { rules, begins: 'resume' };
  const first = await store.events(session, { after: 0, limit: firstEvents });
  const isOver = first.length === firstEvents || first.some(({ type }) => type === 'turn.ended');
  return { rules, begins: isOver ? 'resume' : 'startup' };
}

const before: ReadonlySet<LinkVerb> = new Set([
  'nextStep',
  'recordReply',
  'beginCall',
  'endCall',
  'failTurn',
]);

/** True for verbs whose answer lets a worker go on to the next call or message: its hooks must be today's by then. */
export function needsTodaysHooks(verb: LinkVerb): boolean {
  return before.has(verb);
}

/** What a worker was told of its hooks, by lease; memory only. */
export class ToldHooks {
  readonly #told = new WeakMap<object, string>();

  /** True when these differ from what the lease's worker was told last; it counts as told then. */
  isNews(lease: object, { rules, mode }: HookTerms): boolean {
    const text = canonicalJson({ rules, mode });
    if (this.#told.get(lease) === text) return false;
    this.#told.set(lease, text);
    return true;
  }
}
