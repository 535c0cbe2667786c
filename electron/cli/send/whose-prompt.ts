import { type AnyEvent, isKnownEvent } from '../../../shared/domain/events.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';

/** Tells the prompts of a message's turn from those that the session asked before it came to the message. */
export interface PromptOwner {
  /** Takes events of the session in any order, each as often as it comes. */
  see(events: readonly AnyEvent[]): void;
  /** True when the session asks for something that is older than the work on this message. */
  isOlder(prompt: PromptView): boolean;
}

/** Follows one message, named by its id. What is not in the events that were seen counts as the message's own. */
export function promptOwner(message: string): PromptOwner {
  /** Seq of the step that took the message; Infinity: it is stored and no step took it yet; undefined: not seen at all. */
  let taken: number | undefined;
  let wake: string | undefined;
  const opened = new Map<string, number>();
  const stepsByWake = new Map<string, number>();
  const look = (event: AnyEvent): void => {
    if (!isKnownEvent(event)) return;
    if (event.type === 'message.received' && event.body.message === message) wake = event.body.wake;
    if (event.type === 'prompt.opened') opened.set(event.body.prompt, event.seq);
    if (event.type === 'step.began') for (const one of event.body.wakes) stepsByWake.set(one, event.seq);
  };
  return {
    see(events) {
      for (const event of events) look(event);
      taken = wake === undefined ? undefined : (stepsByWake.get(wake) ?? Infinity);
    },
    isOlder({ id, kind }) {
      // What a directory brings is asked about for whatever comes: for no message.
      if (taken === undefined || kind === 'trust') return false;
      const asked = opened.get(id);
      return asked === undefined ? taken === Infinity : asked < taken;
    },
  };
}
