import type { CliContext } from '../../context.ts';
import type { Looks } from '../looks.ts';
import type { Viewer } from '../follow/viewer.ts';
import { openScreen } from '../terminal/ink-screen.ts';
import { Conversation } from './conversation.ts';

/** Shows the conversation until the person leaves, the terminal is gone, or the session is. */
export async function showConversation(context: CliContext, looks: Looks, viewer: Viewer): Promise<void> {
  const screen = openScreen(looks);
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const cancelSignal = context.onSignal(() => leave());
  const conversation = new Conversation({
    viewer,
    clock: context.clock,
    leave,
    copy: (text) => screen.copy(text),
  });
  const cancelGone = viewer.subscribe(() => {
    if (viewer.state.isGone) leave();
  });
  try {
    screen.show(conversation);
    await left;
  } finally {
    cancelGone();
    cancelSignal();
    conversation.close();
    await screen.close();
  }
}
