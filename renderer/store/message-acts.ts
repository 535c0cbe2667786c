import { briefCommand } from '../../shared/domain/brief.ts';
import { messageAnswerSchema } from '../../shared/protocol/bridge.ts';
import { isUnreached } from '../../shared/viewing/fault.ts';
import type { ActContext } from './context.ts';
import type { UnsentMessage } from '../../shared/viewing/unsent-message.ts';
import type { WindowState } from './window-state.ts';

/** Sending: a message is shown and kept at once, and sent until the daemon has it. */
export interface MessageActs {
  send(session: string, text: string): void;
  /** Sends everything that waits, in order; called whenever the connection is there again. */
  sendWaiting(): void;
  /** Tries a refused message again. */
  sendAgain(uuid: string): void;
  /** Gives a message up that was not stored. */
  discard(uuid: string): void;
  /** The content of a file that came with a message; null when it cannot be had. */
  loadFile(hash: string): Promise<Blob | null>;
}

export function createMessageActs(context: ActContext): MessageActs {
  const { store, kept } = context;
  let isSending = false;

  const sendWaiting = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    for (let next = firstWaiting(store.getState()); next !== null; next = firstWaiting(store.getState())) {
      if (!(await sendOne(context, next))) break;
    }
    isSending = false;
  };
  return {
    send(session, text) {
      const { newUuid, clock } = context;
      const message: UnsentMessage = {
        uuid: newUuid(),
        session,
        text,
        at: clock.now(),
        stored: false,
        fault: null,
      };
      kept.keepUnsent(message);
      store.setState(({ unsent }) => ({ unsent: [...unsent, message] }));
      void sendWaiting();
    },
    sendWaiting: () => void sendWaiting(),
    sendAgain(uuid) {
      store.setState((state) => changed(state, uuid, { fault: null }));
      void sendWaiting();
    },
    async loadFile(hash) {
      const loaded = await context.http.load(`/blobs/${encodeURIComponent(hash)}`);
      return loaded.ok ? loaded.value : null;
    },
    discard(uuid) {
      kept.dropUnsent(uuid);
      store.setState(({ unsent }) => ({ unsent: unsent.filter((message) => message.uuid !== uuid) }));
    },
  };
}

function firstWaiting({ unsent }: WindowState): UnsentMessage | null {
  return unsent.find((message) => !message.stored && message.fault === null) ?? null;
}

function changed(state: WindowState, uuid: string, change: Partial<UnsentMessage>): Partial<WindowState> {
  return {
    unsent: state.unsent.map((message) => (message.uuid === uuid ? { ...message, ...change } : message)),
  };
}

/** False when nobody answered: it waits for the connection. A refusal waits for the person, and the next one goes on. */
async function sendOne({ http, store, kept }: ActContext, message: UnsentMessage): Promise<boolean> {
  const { uuid, session, text } = message;
  const asked = await http.ask({ path: '/messages', body: { text, uuid, session } }, messageAnswerSchema);
  if (asked.ok) {
    kept.dropUnsent(uuid);
    store.setState((state) => withoutEcho(state, message));
    return true;
  }
  if (isUnreached(asked.fault)) return false;
  store.setState((state) => changed(state, uuid, { fault: asked.fault }));
  return true;
}

/** A followed session shows the message until its event comes; any other has it in its history when it is opened. */
function withoutEcho(state: WindowState, { uuid, session, text }: UnsentMessage): Partial<WindowState> {
  const page = state.pages[session];
  const isFollowed = state.pane.kind === 'session' && state.pane.id === session && page !== undefined;
  const hasCome = page?.items.some((item) => item.kind === 'message_in' && item.message === uuid) === true;
  // Done at once by the daemon: no event of a message will come.
  const isCommand = briefCommand(text) !== null;
  if (isFollowed && !hasCome && !isCommand) return changed(state, uuid, { stored: true });
  return { unsent: state.unsent.filter((message) => message.uuid !== uuid) };
}
