import { isObject } from '../../../shared/base/json.ts';
import { isModelWait } from '../../../shared/domain/model-wait.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import {
  type MessageAnswer,
  type ServerFrame,
  type SessionSnapshot,
  messageAnswerSchema,
  sessionSnapshotSchema,
  ticketAnswerSchema,
} from '../../../shared/protocol/bridge.ts';
import { type CallLimits, ask, get } from '../bridge/client.ts';
import { followTopic } from '../bridge/live-topic.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { type PromptOwner, promptOwner } from './whose-prompt.ts';

/** A message to wait for. `until` is monotonic ms, Infinity for no limit. */
export interface Wait {
  readonly context: CliContext;
  readonly message: string;
  readonly session: string;
  readonly until: number;
  /** Called for each open prompt of the session, once per code; `older`: it was asked for something before this message. */
  onPrompt(prompt: PromptView, older: boolean): void;
  /** Called when the session's model is asked again later, with why, each time that is seen. */
  onModelWait(why: string): void;
  /** Called when the connection was lost and is being made again. */
  onLost(): void;
}

/** A daemon that went away is waited for at most this long when nobody set a limit, ms. */
const longestAbsenceMs = 60_000;

/** How long to wait before following again after a connection ended, ms; doubled for each that showed nothing. */
const againAfterMs = 100;
/** More connections in a row that showed nothing are no restart any more. */
const mostUnseen = 6;

function limitsOf(wait: Wait): CallLimits {
  return { until: Math.min(wait.until, wait.context.clock.monotonic() + longestAbsenceMs), patient: true };
}

/** The state of a message now. */
export function lookAtMessage(
  context: CliContext,
  message: string,
  limits?: CallLimits,
): Promise<MessageAnswer> {
  return get(context, `/messages/${encodeURIComponent(message)}`, messageAnswerSchema, limits);
}

/** Whether a frame may mean that this message has come to its end. */
function concerns(frame: ServerFrame, message: string): boolean {
  switch (frame.type) {
    case 'snapshot':
    case 'resumed':
    case 'large_event':
      return true;
    case 'session':
      return frame.session.state === 'parked';
    case 'event':
      if (frame.event.type === 'session.parked') return true;
      return (
        frame.event.type === 'message.settled' &&
        isObject(frame.event.body) &&
        frame.event.body.message === message
      );
    default:
      return false;
  }
}

/** What a frame says of events and prompts. */
function contentOf(frame: ServerFrame): Pick<SessionSnapshot, 'events' | 'prompts'> {
  if (frame.type === 'prompt') return { events: [], prompts: [frame.prompt] };
  if (frame.type === 'event') return { events: [frame.event], prompts: [] };
  const view = frame.type === 'snapshot' ? sessionSnapshotSchema.safeParse(frame.view) : undefined;
  return view?.success === true ? view.data : { events: [], prompts: [] };
}

/** Tells why the session does nothing now, where that is its model. */
function showModelWait(wait: Wait, frame: ServerFrame): void {
  const view = frame.type === 'snapshot' ? sessionSnapshotSchema.safeParse(frame.view).data : frame;
  const doing = view !== undefined && 'session' in view ? view.session.doing : null;
  if (isModelWait(doing)) wait.onModelWait(doing);
}

/** What was shown and seen over all connections of one wait. */
interface Seen {
  readonly shown: Set<string>;
  readonly owner: PromptOwner;
}

/** Tells of the prompts that a frame brings for the first time. */
function showPrompts(wait: Wait, { shown, owner }: Seen, frame: ServerFrame): void {
  const { events, prompts } = contentOf(frame);
  owner.see(events);
  for (const prompt of prompts) {
    if (prompt.state !== 'open' || shown.has(prompt.code)) continue;
    shown.add(prompt.code);
    wait.onPrompt(prompt, owner.isOlder(prompt));
  }
}

function isOver(answer: MessageAnswer): boolean {
  return answer.state === 'settled' || answer.state === 'parked';
}

/** How following over one connection ended: the message is over, the connection is (`unseen`: before it showed anything), or the time is. */
type Followed = MessageAnswer | 'lost' | 'unseen' | 'too_late';

/** Follows the session over one connection until the message is over. */
async function followOnce(wait: Wait, known: Seen): Promise<Followed> {
  const { context, session, message } = wait;
  const limits = limitsOf(wait);
  const request = { method: 'POST', path: '/tickets', body: {}, repeatable: true } as const;
  const { daemon, value } = await ask(context, request, ticketAnswerSchema, limits);
  return new Promise((resolve, reject) => {
    let seen = false;
    let looking = false;
    let lookAgain = false;
    const look = (): void => {
      lookAgain = looking;
      if (looking) return;
      looking = true;
      lookAtMessage(context, message, limitsOf(wait))
        .then((answer) => {
          looking = false;
          if (isOver(answer)) finish(answer);
          else if (lookAgain) look();
        })
        .catch(fail);
    };
    const live = followTopic({ daemon, ticket: value.ticket }, `session:${session}`, (frame) => {
      showPrompts(wait, known, frame);
      showModelWait(wait, frame);
      seen ||= frame.type === 'snapshot' || frame.type === 'resumed';
      if (concerns(frame, message)) look();
    });
    const cancel = context.clock.after(wait.until - context.clock.monotonic(), () => finish('too_late'));
    const finish = (followed: Followed): void => {
      cancel();
      live.close();
      resolve(followed);
    };
    const fail = (error: unknown): void => {
      cancel();
      live.close();
      reject(error);
    };
    live.ended.then(() => finish(seen ? 'lost' : 'unseen'), fail);
  });
}

function isTooLate(wait: Wait): boolean {
  return wait.context.clock.monotonic() >= wait.until;
}

function notFollowable(): CommandFailure {
  const message = 'The daemon ends every connection that wants to follow this session.';
  return new CommandFailure(exit.refused, message, 'Look with: kairos doctor, or kairos daemon logs');
}

/** Follows once; a daemon that gives no answer counts as a connection that showed nothing. Throws what does not pass. */
async function tryToFollow(wait: Wait, known: Seen): Promise<Followed> {
  try {
    return await followOnce(wait, known);
  } catch (error) {
    if (isTooLate(wait)) return 'too_late';
    if (error instanceof CommandFailure && error.exit === exit.timedOut) return 'unseen';
    throw error;
  }
}

/**
 * Resolves when this very message is settled or its session is parked, however often the daemon restarts meanwhile;
 * undefined when the time is over. Throws CommandFailure when the daemon stays away or lets nobody follow.
 */
export async function waitForMessage(wait: Wait): Promise<MessageAnswer | undefined> {
  const known: Seen = { shown: new Set(), owner: promptOwner(wait.message) };
  for (let unseen = 0; !isTooLate(wait); ) {
    const followed = await tryToFollow(wait, known);
    if (followed === 'too_late') return undefined;
    if (followed !== 'lost' && followed !== 'unseen') return followed;
    wait.onLost();
    unseen = followed === 'lost' ? 0 : unseen + 1;
    if (unseen > mostUnseen) throw notFollowable();
    const pauseMs = Math.min(againAfterMs * 2 ** unseen, wait.until - wait.context.clock.monotonic());
    await new Promise<void>((resolve) => wait.context.clock.after(pauseMs, resolve));
  }
  return undefined;
}
