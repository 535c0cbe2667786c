import { KairosError } from '../../../shared/base/errors.ts';
import {
  briefCommand,
  type BriefPolicy,
  briefProblem,
  isBriefActive,
  isBriefEntitled,
  ordinaryBrief,
} from '../../../shared/domain/brief.ts';
import type { Origin } from '../../../shared/domain/origin-route.ts';
import type { WorkerType } from '../../../shared/domain/sessions.ts';
import type { MessageAnswer, SendBody } from '../../../shared/protocol/bridge.ts';
import type { Store } from '../events/port.ts';
import type { SessionRow } from '../events/rows.ts';
import { checkNoTasks } from './running-tasks.ts';

/** What switching works with. */
export interface BriefPorts {
  readonly store: Pick<Store, 'session' | 'setBrief'>;
  readonly brief?: BriefPolicy;
}

/** Switches brief mode of a session; rejects with `brief_fixed` when it cannot be, with `tasks_running` when that would end some. */
export async function switchBrief(
  ports: BriefPorts,
  session: SessionRow,
  brief: boolean,
): Promise<SessionRow> {
  const policy = ports.brief ?? ordinaryBrief;
  const problem = briefProblem(policy, session, brief);
  if (problem) throw new KairosError('brief_fixed', problem.message, { next: problem.next });
  if (brief === isBriefActive(policy, session)) return session;
  checkNoTasks(session);
  return ports.store.setBrief(session.id, brief);
}

/** Whether a new session is in brief mode; rejects with `brief_fixed` when it was asked for and cannot be. */
export function newSessionBrief(policy: BriefPolicy, workerType: WorkerType, wanted: boolean): boolean {
  const problem = wanted ? briefProblem(policy, { workerType }, true) : null;
  if (problem) throw new KairosError('brief_fixed', problem.message, { next: problem.next });
  const assistant = workerType === 'kairos_assistant';
  return isBriefEntitled(policy, { workerType }) && (wanted || policy.byDefault || assistant);
}

/** Does a whole message `/brief [on|off]` of the owner and answers it; null for any other message. It never reaches the model. */
export async function answerBriefCommand(
  ports: BriefPorts,
  body: SendBody,
  origin: Origin,
): Promise<MessageAnswer | null> {
  const wanted = origin.trust === 'owner' ? briefCommand(body.text) : null;
  if (wanted === null) return null;
  const session = body.session === undefined ? null : await ports.store.session(body.session);
  if (!session)
    throw new KairosError('bad_input', 'There is no session yet that could be switched.', {
      next: 'Start one in brief mode with: kairos sessions new --brief',
    });
  await switchBrief(ports, session, wanted);
  const text = wanted
    ? 'Brief mode is on: you read only what is sent to you.'
    : 'Brief mode is off: the text at the end of a turn is the answer.';
  const { id, name } = session;
  const replies = [{ text, status: 'normal' as const }];
  return {
    session: id,
    name,
    message: body.uuid,
    state: 'settled',
    settledBy: null,
    replies,
    duplicate: false,
  };
}
