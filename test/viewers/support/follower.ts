import {
  type HomeView,
  homeViewSchema,
  type Place,
  type ServerFrame,
  sessionSnapshotSchema,
} from '../../../shared/protocol/bridge.ts';
import { openHome, reduceHome } from '../../../shared/session/home-view.ts';
import { openSession, reduceSession, type SessionPageView } from '../../../shared/session/session-view.ts';
import type { BridgeUnderTest } from './make-bridge.ts';
import { openViewer, type ViewerClient } from './viewer-client.ts';

/** A viewer that keeps its view over disconnects, as a program does. */
export interface Follower<View> {
  readonly view: View | null;
  /** Seqs of all events it was ever sent in tails, in order of arrival. */
  readonly seqs: number[];
  readonly starts: string[];
  connect(): Promise<void>;
  /** Cuts the connection in the middle of whatever it does. */
  cut(): void;
  until(fits: (view: View) => boolean): Promise<View>;
}

function follow<View>(
  bridge: BridgeUnderTest,
  topic: string,
  next: (view: View | null, frame: ServerFrame) => View | null,
): Follower<View> {
  let view: View | null = null;
  let place: Place | undefined;
  let client: ViewerClient | null = null;
  const [seqs, starts]: [number[], string[]] = [[], []];
  const waiters = new Set<() => void>();
  const onFrame = (mine: number, frame: ServerFrame): void => {
    if (mine !== connection || !('topic' in frame)) return;
    if (frame.type === 'snapshot' || frame.type === 'resumed') starts.push(frame.type);
    view = next(view, frame);
    if ('place' in frame) place = frame.place;
    if (frame.type === 'event' || frame.type === 'change') seqs.push(frame.place.seq);
    for (const waiter of waiters) waiter();
  };
  let connection = 0;
  return {
    get view() {
      return view;
    },
    seqs,
    starts,
    async connect() {
      connection += 1;
      const mine = connection;
      client = await openViewer(bridge.port, await bridge.ticket(), (frame) => onFrame(mine, frame));
      client.send({ type: 'subscribe', topic, ...(place === undefined ? {} : { from: place }) });
    },
    cut() {
      connection += 1;
      client?.socket.terminate();
    },
    until(fits) {
      return new Promise((resolve) => {
        const look = (): void => {
          if (view === null || !fits(view)) return;
          waiters.delete(look);
          resolve(view);
        };
        waiters.add(look);
        look();
      });
    },
  };
}

/** Follows `home`. */
export function followHome(bridge: BridgeUnderTest): Follower<HomeView> {
  return follow<HomeView>(bridge, 'home', (view, frame) => {
    if (frame.type === 'snapshot') return openHome(homeViewSchema.parse(frame.view));
    return frame.type === 'change' && view !== null ? reduceHome(view, frame.change) : view;
  });
}

/** Follows one session. */
export function followSession(bridge: BridgeUnderTest, id: string): Follower<SessionPageView> {
  return follow<SessionPageView>(bridge, `session:${id}`, (view, frame) => {
    switch (frame.type) {
      case 'snapshot':
        return openSession(sessionSnapshotSchema.parse(frame.view), frame.place.seq);
      case 'event':
      case 'large_event':
      case 'session':
      case 'prompt':
      case 'draft':
      case 'draft_ended':
        return view === null ? null : reduceSession(view, frame);
      default:
        return view;
    }
  });
}
