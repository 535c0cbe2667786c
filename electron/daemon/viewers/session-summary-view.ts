import { visibleText } from '../../../shared/base/visible-text.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import { sessionState } from '../../../shared/domain/sessions.ts';
import type { DeviceView, SessionView } from '../../../shared/protocol/bridge.ts';
import type { RuleView } from '../../../shared/protocol/permissions.ts';
import { formatRule } from '../../../shared/domain/permissions/rules.ts';
import { maskLiteralSecrets } from '../../node/mask-secrets.ts';
import type { SessionSummary } from '../events/port.ts';
import type { DeviceRow, PromptRow, RuleRow } from '../events/rows.ts';
import type { LiveFacts } from '../../../shared/session/live.ts';

/** A session as viewers see it, from its stored summary and what is known of its worker. */
export function sessionSummaryView(summary: SessionSummary, live: LiveFacts): SessionView {
  const { session, openPrompts, pending, sleepingUntil, nextWakeAt } = summary;
  const state = sessionState({
    parked: session.parked !== null,
    paused: session.paused,
    openPrompts,
    inTurn: session.turn !== null,
    waiting: sleepingUntil !== null,
    pending,
    leased: live.leased,
  });
  return {
    id: session.id,
    name: session.name,
    kind: session.kind,
    state,
    // While it sleeps by its own Sleep no worker works on it, also when one has it for its quiet time still.
    pid: state === 'sleeping' ? null : live.pid,
    dir: session.dir,
    mode: session.mode,
    model: session.model,
    brief: session.brief,
    createdAt: session.createdAt,
    lastActivity: session.lastActivity,
    seq: session.seq,
    openPrompts,
    pending,
    paused: session.paused,
    parked: session.parked,
    nextWakeAt: earliest(sleepingUntil, nextWakeAt),
    doing: live.doing,
    background: live.background,
  };
}

function earliest(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}

/** What surfaces may see of a prompt: the row without its digest, rule subject and origin. */
export function promptViewOf(row: PromptRow): PromptView {
  const { digest: _digest, ruleSubject: _ruleSubject, origin: _origin, ...view } = row;
  return view;
}

/** A device without the hash of its token. */
export function deviceViewOf(row: DeviceRow): DeviceView {
  const { tokenHash: _tokenHash, ...view } = row;
  return { ...view, scopes: [...view.scopes] };
}

/** A rule as a list of rules shows it, without what looks like a secret; `sessionName` where it holds in one session only. */
export function ruleViewOf(row: RuleRow, sessionName: string | null): RuleView {
  const { id, effect, session, createdAt } = row;
  return {
    id,
    effect,
    rule: visibleText(maskLiteralSecrets(formatRule(row))),
    session,
    sessionName,
    createdAt,
  };
}
