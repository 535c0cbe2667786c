import { eventPageSchema, limits } from '../../shared/protocol/bridge.ts';
import { addPage, missingSeqs, olderThan } from '../../shared/session/session-view.ts';
import type { Asked } from '../../shared/viewing/fault.ts';
import { withPage } from '../../shared/viewing/apply-frame.ts';
import type { ActContext } from './context.ts';
import type { OlderPages, WindowState } from './window-state.ts';

/** History beyond what the topic sends. */
export interface HistoryActs {
  /** Loads the next older page, unless one is on its way or the first event is loaded. */
  loadOlder(session: string): void;
  /** Fetches events that were too large for a frame. */
  fillHoles(session: string): void;
}

interface PageWanted {
  readonly session: string;
  readonly before: number;
  readonly limit: number;
}

export function createHistoryActs(context: ActContext): HistoryActs {
  const { store, clock } = context;
  const filling = new Set<string>();

  const fetchPage = async (wanted: PageWanted): Promise<Asked<unknown>> => {
    const { session, before, limit } = wanted;
    const path = `/sessions/${encodeURIComponent(session)}/events?before=${before}&limit=${limit}`;
    const asked = await context.http.ask({ path }, eventPageSchema);
    const page = store.getState().pages[session];
    if (asked.ok && page !== undefined) {
      store.setState((state) => withPage(state, session, addPage(page, asked.value.events)));
    }
    return asked;
  };
  return {
    loadOlder(session) {
      const { pages, older } = store.getState();
      const before = pages[session] === undefined ? null : olderThan(pages[session]);
      if (before === null || older[session]?.kind === 'loading') return;
      store.setState((state) => withOlder(state, session, { kind: 'loading', since: clock.now() }));
      void fetchPage({ session, before, limit: limits.page }).then((asked) => {
        const failed = asked.ok ? null : ({ kind: 'failed', fault: asked.fault } as const);
        store.setState((state) => withOlder(state, session, failed));
      });
    },
    fillHoles(session) {
      const page = store.getState().pages[session];
      const missing = page === undefined ? undefined : missingSeqs(page)[0];
      if (missing === undefined || filling.has(session)) return;
      filling.add(session);
      void fetchPage({ session, before: missing + 1, limit: 1 }).then((asked) => {
        filling.delete(session);
        if (asked.ok) this.fillHoles(session);
      });
    },
  };
}

function withOlder(state: WindowState, session: string, next: OlderPages | null): Partial<WindowState> {
  const { [session]: _, ...others } = state.older;
  return { older: next === null ? others : { ...others, [session]: next } };
}
