import { watchHome } from '../../bridge/home-watch.ts';
import type { CliContext } from '../../context.ts';
import { exit } from '../../exit.ts';
import { CommandFailure } from '../../failure.ts';
import { oneLine } from '../../../../shared/base/visible-text.ts';
import type { InputLines } from '../plain/lines.ts';
import type { Looks } from '../looks.ts';
import { openSocket } from './open-socket.ts';
import { Viewer } from './viewer.ts';
import { ViewerBridge } from './viewer-bridge.ts';
import { pageOf } from './viewer-state.ts';
import type { Socket, SocketEvents } from '../../../../shared/viewing/socket.ts';
import type { DaemonFile } from '../../../../shared/protocol/bridge.ts';

/** What to follow, and what to say first. */
export interface FollowWish {
  readonly session: string;
  readonly text: string | undefined;
  /** Where a plain viewer reads lines. */
  readonly input: InputLines;
}

/** How often an unchanged home is looked at while the connection is lost, ms. */
const lookAgainMs = 5_000;

/** Tries to reconnect as soon as the home says that a daemon is there again; ends when `isOver`. */
async function watchDaemon(context: CliContext, viewer: Viewer, over: AbortSignal): Promise<void> {
  const watch = watchHome(context.home, context.clock);
  over.addEventListener('abort', () => watch.close());
  while (!over.aborted) {
    await watch.change(lookAgainMs);
    if (!over.aborted) viewer.nudge();
  }
}

/** Opens the socket of the daemon that gave the last ticket. */
function opener(bridge: ViewerBridge): {
  open(events: SocketEvents): Socket;
  prepare: ViewerBridge['ticket'];
} {
  let daemon: DaemonFile | null = null;
  return {
    async prepare() {
      daemon = await bridge.daemon();
      return bridge.ticket();
    },
    open(events) {
      if (daemon === null) throw new Error('a ticket comes before its socket');
      return openSocket(daemon, events);
    },
  };
}

/** Follows a session until the person leaves; the name it has then. Throws CommandFailure where it cannot be followed. */
export async function follow(context: CliContext, looks: Looks, wish: FollowWish): Promise<string | null> {
  const bridge = new ViewerBridge(context.home, context.clock);
  const { open, prepare } = opener(bridge);
  const viewer = new Viewer({
    bridge: { ask: (request, schema) => bridge.ask(request, schema), ticket: prepare },
    open,
    clock: context.clock,
    ids: context.ids,
    session: wish.session,
  });
  const over = new AbortController();
  void watchDaemon(context, viewer, over.signal);
  try {
    viewer.start();
    if (wish.text !== undefined && wish.text.trim() !== '') viewer.send(wish.text);
    if (looks.isPlain) {
      const { showPlain } = await import('../plain/show-plain.ts');
      await showPlain(context, looks, viewer, wish.input);
    } else {
      const { showConversation } = await import('../conversation/show-conversation.ts');
      await showConversation(context, looks, viewer);
    }
    if (viewer.state.isGone)
      throw new CommandFailure(
        exit.failed,
        `The session "${oneLine(wish.session, 64)}" is not there any more.`,
        'See: kairos sessions',
      );
    return pageOf(viewer.state)?.session.name ?? null;
  } finally {
    over.abort();
    viewer.close();
    await bridge.signOut();
  }
}
