import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from '../../shared/base/ports.ts';
import { newDeviceAnswerSchema, type ServerFrame, ticketAnswerSchema } from '../../shared/protocol/bridge.ts';
import type { BridgeHttp } from '../connection/bridge-http.ts';
import type { Link } from '../../shared/viewing/link.ts';
import { LiveConnection } from '../../shared/viewing/live-connection.ts';
import type { Socket, SocketEvents } from '../../shared/viewing/socket.ts';
import { applyFrame, sessionOfTopic } from '../../shared/viewing/apply-frame.ts';
import type { ActContext } from './context.ts';
import { FrameQueue } from './frame-queue.ts';
import { firstPane } from './first-pane.ts';
import { createHistoryActs, type HistoryActs } from './history-acts.ts';
import type { Kept } from './kept.ts';
import { createMessageActs, type MessageActs } from './message-acts.ts';
import { createPromptActs, type PromptActs } from './prompt-acts.ts';
import { createSessionActs, type SessionActs } from './session-acts.ts';
import { createViewActs, type ViewActs } from './view-acts.ts';
import { emptyWindow, openSessionId, type WindowState } from './window-state.ts';

/** Everything a person can do in the window. */
export type Acts = HistoryActs & MessageActs & PromptActs & SessionActs & ViewActs;

/** What a window is made of. */
export interface WindowPorts {
  readonly http: BridgeHttp;
  readonly open: (events: SocketEvents) => Socket;
  readonly clock: Clock;
  readonly newUuid: () => string;
  readonly kept: Kept;
}

/** A window: its state, and what can be done with it. */
export interface Window {
  readonly store: StoreApi<WindowState>;
  readonly acts: Acts;
  readonly clock: Clock;
  readonly kept: Kept;
  /** Redeems the ticket of the address and connects; without one the window says how to be opened. One that has its key keeps it. */
  start(ticket: string | null): Promise<void>;
}

/** The name under which the window's token stands in the list of devices. */
const deviceName = 'Window';

export function createWindow(ports: WindowPorts): Window {
  const { http, open, clock, kept } = ports;
  const store = createStore<WindowState>()(() => ({ ...emptyWindow, unsent: kept.unsent() }));
  const live = new LiveConnection({
    clock,
    client: 'window',
    open,
    ticket: () => http.ask({ path: '/tickets', body: {} }, ticketAnswerSchema),
    onLink: (link) => onLink(link),
    onWelcome: ({ scopes, device }) => store.setState({ scopes, device }),
    onFrame: (frame) => frames.push(frame),
  });
  const context: ActContext = { ...ports, store, live };
  const acts = createActs(context);

  const onLink = (link: Link): void => {
    store.setState({ link });
    if (link.kind === 'live') acts.sendWaiting();
  };
  const frames = new FrameQueue<ServerFrame>(clock, (came) => applyAll(came));
  const applyAll = (came: readonly ServerFrame[]): void => {
    const before = store.getState();
    let next: WindowState = before;
    for (const frame of came) {
      const applied = applyFrame(next, frame);
      if (applied === 'unreadable') {
        live.close();
        return store.setState({ link: { kind: 'outdated' } });
      }
      next = applied;
    }
    if (next !== before) store.setState(next);
    if (before.home === null && next.home !== null) acts.show(firstPane(next, kept.selected()));
    for (const frame of came) afterFrame(context, acts, frame);
  };
  return {
    store,
    acts,
    clock,
    kept,
    async start(ticket) {
      const { kind } = store.getState().link;
      if (kind === 'connecting' || kind === 'live' || kind === 'lost') return;
      if (ticket === null) return store.setState({ link: { kind: 'locked' } });
      store.setState({ link: { kind: 'connecting' } });
      const request = { path: '/tickets/redeem', body: { ticket, name: deviceName } };
      const asked = await http.ask(request, newDeviceAnswerSchema);
      if (!asked.ok) return store.setState({ link: { kind: 'refused', fault: asked.fault } });
      http.signIn(asked.value.token);
      live.follow('home', undefined);
      live.start();
    },
  };
}

function createActs(context: ActContext): Acts {
  const messages = createMessageActs(context);
  return {
    ...messages,
    ...createSessionActs(context, messages),
    ...createHistoryActs(context),
    ...createPromptActs(context),
    ...createViewActs(context),
  };
}

/** What a frame calls for besides being shown. */
function afterFrame({ store }: ActContext, acts: Acts, frame: ServerFrame): void {
  const state = store.getState();
  const session = 'topic' in frame && frame.topic !== undefined ? sessionOfTopic(frame.topic) : null;
  if (session === null || session !== openSessionId(state)) return;
  if (frame.type === 'snapshot' || frame.type === 'large_event') acts.fillHoles(session);
  if (frame.type === 'error' && frame.code === 'not_found') acts.show({ kind: 'none' });
}
