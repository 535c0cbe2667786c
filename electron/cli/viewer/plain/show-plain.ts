import { needsSettling } from '../../../../shared/domain/wakes.ts';
import type { CliContext } from '../../context.ts';
import type { Looks } from '../looks.ts';
import type { Viewer } from '../follow/viewer.ts';
import { pageOf, type ViewerState } from '../follow/viewer-state.ts';
import { paintLine } from '../text/paint-line.ts';
import type { InputLines } from './lines.ts';
import { PlainView } from './plain-view.ts';

/** Columns where nothing limits a line. */
const openColumns = 100;

/** Nothing is owed any more: what was sent from here is stored, and every loaded message of a person or a chat is settled. */
export function isSettled(state: ViewerState): boolean {
  const page = pageOf(state);
  if (page === undefined || state.unsent.some(({ fault }) => fault === null)) return false;
  const owed = page.items.some(
    (item) => item.kind === 'message_in' && needsSettling(item.cause) && item.settledBy === null,
  );
  return !owed || page.session.state === 'parked';
}

/** A connection that will not come back by itself. */
function isOver({ link, isGone }: ViewerState): boolean {
  return isGone || link.kind === 'refused' || link.kind === 'outdated' || link.kind === 'locked';
}

/** Shows the conversation as appended lines until the person leaves; input that ends is followed until it is answered. */
export async function showPlain(
  context: CliContext,
  looks: Looks,
  viewer: Viewer,
  input: InputLines,
): Promise<void> {
  const { stdout } = context;
  let leave = (): void => undefined;
  let ended = false;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let printed: Promise<void> = Promise.resolve();
  const view = new PlainView({
    viewer,
    clock: context.clock,
    columns: stdout.columns ?? openColumns,
    hidesEcho: process.stdin.isTTY === true,
    print: (lines) => {
      const text = lines.map((line) => `${paintLine(line, looks.hasColours)}\n`).join('');
      printed = printed.then(() => stdout.write(text));
    },
  });
  const look = (): void => {
    view.look();
    if (isOver(viewer.state) || (ended && isSettled(viewer.state)) || stdout.closed) leave();
  };
  const cancelSignal = context.onSignal(() => leave());
  const cancelViewer = viewer.subscribe(look);
  try {
    void readLines(input, view).then(() => {
      ended = true;
      look();
    });
    look();
    await left;
  } finally {
    cancelViewer();
    cancelSignal();
    await printed;
  }
}

async function readLines(input: InputLines, view: PlainView): Promise<void> {
  for (let line = await input.next(); line !== null; line = await input.next()) view.line(line);
}
