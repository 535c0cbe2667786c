import type * as z from 'zod/mini';
import type { Asked } from '../../shared/viewing/fault.ts';
import type { BridgeRequest } from '../connection/bridge-http.ts';
import type { ActContext } from './context.ts';

/** What changes the view alone, and what is told the daemon about the person at it. */
export interface ViewActs {
  setDetailed(isDetailed: boolean): void;
  setHelpOpen(isHelpOpen: boolean): void;
  setPaletteOpen(isPaletteOpen: boolean): void;
  /** One request for a view that shows its answer and nothing else of the store. Never rejects. */
  ask<Value>(request: BridgeRequest, schema: z.ZodMiniType<Value>): Promise<Asked<Value>>;
  /** Keeps what is typed for a session, and says once per message that somebody types. */
  typed(session: string, text: string): void;
  /** The person is back, or the network is: reconnect now. */
  nudge(): void;
}

export function createViewActs({ store, live, kept, http }: ActContext): ViewActs {
  const told = new Set<string>();
  return {
    setDetailed: (isDetailed) => store.setState({ isDetailed }),
    setHelpOpen: (isHelpOpen) => store.setState({ isHelpOpen }),
    setPaletteOpen: (isPaletteOpen) => store.setState({ isPaletteOpen }),
    ask: (request, schema) => http.ask(request, schema),
    typed(session, text) {
      kept.keepTyped(session, text);
      if (text === '') told.delete(session);
      else if (!told.has(session)) {
        told.add(session);
        live.tellTyping(session);
      }
    },
    nudge: () => live.nudge(),
  };
}
