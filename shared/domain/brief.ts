import type { WorkerType } from './sessions.ts';

/** What brief mode depends on beside the session (behaviour 5). */
export interface BriefPolicy {
  /** The build has it. */
  readonly built: boolean;
  /** KAIROS_BRIEF=1 when the daemon was started. */
  readonly forced: boolean;
  /** The settings allow it (`brief.enabled`). */
  readonly rollout: boolean;
  /** New sessions get it unasked (`defaultView: "chat"`). */
  readonly byDefault: boolean;
}

/** Brief mode may be used and nobody has it unasked. */
export const ordinaryBrief: BriefPolicy = { built: true, forced: false, rollout: true, byDefault: false };

/** What is known of a session; `brief`: it was opted in. */
export interface BriefSession {
  readonly workerType: WorkerType;
  readonly brief: boolean;
}

const isAssistant = ({ workerType }: Pick<BriefSession, 'workerType'>): boolean =>
  workerType === 'kairos_assistant';

/** True when the session may use brief mode at all. */
export function isBriefEntitled(policy: BriefPolicy, session: Pick<BriefSession, 'workerType'>): boolean {
  return policy.built && (isAssistant(session) || policy.forced || policy.rollout);
}

/** True when all that people read of this session goes through SendUserMessage. */
export function isBriefActive(policy: BriefPolicy, session: BriefSession): boolean {
  return isBriefEntitled(policy, session) && (isAssistant(session) || session.brief);
}

/** `isBriefActive`, or without a policy what the session was opted in for. */
export function briefHolds(policy: BriefPolicy | undefined, session: BriefSession): boolean {
  return policy === undefined ? session.brief : isBriefActive(policy, session);
}

/** Why the session cannot be switched, as one sentence and what to do; null when it can. */
export function briefProblem(
  policy: BriefPolicy,
  session: Pick<BriefSession, 'workerType'>,
  brief: boolean,
): { readonly message: string; readonly next: string } | null {
  if (brief && !policy.built)
    return {
      message: 'Brief mode is not part of this build.',
      next: 'Go on without it, or use a build that has it.',
    };
  if (brief && !isBriefEntitled(policy, session))
    return {
      message: 'Brief mode is switched off in settings.json.',
      next: 'Set "brief": {"enabled": true} there and restart Kairos.',
    };
  if (!brief && isAssistant(session) && policy.built)
    return {
      message: 'An assistant session is always in brief mode.',
      next: 'Use an ordinary session to read the work itself.',
    };
  return null;
}

/** `/brief`, `/brief on`, `/brief off` as a whole message: what it wishes; null for any other text. */
export function briefCommand(text: string): boolean | null {
  const match = /^\s*\/brief(?:\s+(on|off))?\s*$/i.exec(text);
  return match ? match[1]?.toLowerCase() !== 'off' : null;
}
