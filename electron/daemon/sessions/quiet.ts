import { assertNever } from '../../../shared/base/assert-never.ts';
import type { LinkVerb } from '../../../shared/protocol/worker-link.ts';

/**
 * Whether a runner that gets this answer has nothing to do until it is told: `quiet` (idle or waiting), `refused` (pause,
 * budget, parked), null = it goes on.
 */
export function isQuietAnswer(verb: LinkVerb, output: unknown): 'quiet' | 'refused' | null {
  switch (verb) {
    case 'nextStep':
    case 'recordReply':
      return quietGrant(output);
    case 'endCall':
      return quietGrant(member(output, 'next'));
    case 'beginCall': {
      const kind = member(output, 'kind');
      if (kind === 'asking' || kind === 'sleeping') return 'quiet';
      return kind === 'ended' ? quietGrant(member(output, 'next')) : null;
    }
    case 'context':
    case 'pinFrame':
    case 'environment':
    case 'sandbox':
    case 'putBlob':
    case 'putFile':
    case 'searchTranscripts':
    case 'blob':
    case 'compact':
    case 'memo':
    case 'note':
    case 'hookRan':
    case 'hookWell':
    case 'hookVerdict':
    case 'failTurn':
    case 'beginSide':
    case 'endSide':
    case 'refreshCredential':
    case 'taskBegan':
    case 'taskEnded':
    case 'park':
      return null;
    default:
      return assertNever(verb, 'link verb');
  }
}

/**
 * Whether a runner that gets this answer asks again at once, so that its silence means that it hangs. After reading and noting
 * comes a request to a model, or a hook: those take as long as they may.
 */
export function asksAgain(verb: LinkVerb, output: unknown): boolean {
  const isGrant = verb === 'nextStep' || verb === 'recordReply' || verb === 'failTurn';
  const grant = isGrant ? output : member(output, 'next');
  return member(grant, 'kind') === 'turn_ended';
}

const besides: ReadonlySet<LinkVerb> = new Set([
  'beginSide',
  'endSide',
  'memo',
  'taskBegan',
  'taskEnded',
  'hookRan',
  'hookWell',
  'hookVerdict',
  // Hooks that hear of a question need it while the session waits for the answer.
  'environment',
]);

/** True for verbs of work that goes on while the session may be quiet: they neither keep it awake nor show that it runs. */
export function isBeside(verb: LinkVerb): boolean {
  return besides.has(verb);
}

const reads: ReadonlySet<LinkVerb> = new Set([
  'refreshCredential',
  'environment',
  'sandbox',
  'searchTranscripts',
]);

/** True for verbs that store nothing and may take long (a person's own programs, a large history): nobody has to wait for them. */
export function storesNothing(verb: LinkVerb): boolean {
  return reads.has(verb);
}

/** How many background tasks run after this answer; null when it is about something else. */
export function runningTasks(verb: LinkVerb, output: unknown): number | null {
  if (verb !== 'taskBegan' && verb !== 'taskEnded') return null;
  const running = member(output, 'running');
  return typeof running === 'number' ? running : null;
}

function quietGrant(grant: unknown): 'quiet' | 'refused' | null {
  const kind = member(grant, 'kind');
  if (kind === 'idle' || kind === 'waiting') return 'quiet';
  return kind === 'refused' ? 'refused' : null;
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
