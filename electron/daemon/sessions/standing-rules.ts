import type { SourcedRule } from '../../../shared/domain/permissions/rules.ts';
import type { SessionConfig } from '../../../shared/domain/session-config.ts';
import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import type { RuleRow, SessionRow } from '../events/rows.ts';

/** What decides about the calls of a session now: rules of every source in their order, and the mode that counts. */
export interface Standing {
  readonly rules: readonly SourcedRule[];
  readonly mode: PermissionMode;
  /** A person may keep a rule with a verdict. */
  readonly keepsRules: boolean;
}

/** Settings first, then what was stored for this session, then what was stored for all; the administrator may rule the stored allows out. Pure. */
export function standingRules(
  row: Pick<SessionRow, 'mode'>,
  config: Pick<SessionConfig, 'rules' | 'onlyManagedRules' | 'bypassDisabled'>,
  stored: readonly RuleRow[],
): Standing {
  const held = config.onlyManagedRules ? stored.filter(({ effect }) => effect !== 'allow') : stored;
  const own = held.filter(({ session }) => session !== null);
  const everywhere = held.filter(({ session }) => session === null);
  return {
    rules: [...config.rules, ...own, ...everywhere],
    mode: countedMode(row.mode, config),
    keepsRules: !config.onlyManagedRules,
  };
}

/** Where the administrator forbids it, `bypassPermissions` asks like `default`. */
export function countedMode(
  mode: PermissionMode,
  { bypassDisabled }: Pick<SessionConfig, 'bypassDisabled'>,
): PermissionMode {
  return bypassDisabled && mode === 'bypassPermissions' ? 'default' : mode;
}
