import type { StopSignal } from '../../../shared/base/ports.ts';
import type { Reply } from '../../../shared/domain/messages.ts';
import { anySignal } from './any-signal.ts';
import type { Work } from './work.ts';

/** What Stop hooks want the model to go on with after a reply that would end its turn; null: nothing. */
export async function wishToGoOn(
  work: Work,
  turn: string,
  reply: Reply,
  stop: StopSignal,
): Promise<string | null> {
  const { hooks, port } = work;
  if (reply.stop !== 'end' || reply.parts.some((part) => part.type === 'call')) return null;
  const lastMessage = reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const occasion = { event: 'Stop', active: work.goneOn === turn, lastMessage } as const;
  const outcome = await hooks.fire(occasion, anySignal(stop, port.interrupt));
  if (outcome === 'cut' || outcome.stop !== null || outcome.block === null) return null;
  work.goneOn = turn;
  const { by, text } = outcome.block;
  return `Your turn is not over yet. The hook (${by}) says: ${text}`;
}
