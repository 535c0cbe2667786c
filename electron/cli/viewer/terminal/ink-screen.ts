import { Box, render, Text, useCursor, useInput, usePaste, useWindowSize } from 'ink';
import { createElement, type ReactNode, useEffect, useReducer } from 'react';
import { paintLine } from '../text/paint-line.ts';
import type { Picture } from './frame.ts';
import { readKeys } from './key.ts';

/** Reports of buttons and the wheel, in the form that has no limit of columns; Shift+drag still selects text. */
const mouseOn = '\u001b[?1000h\u001b[?1006h';
const mouseOff = '\u001b[?1006l\u001b[?1000l';

/** How the terminal is written to. */
export interface ScreenOptions {
  readonly hasColours: boolean;
}

/** A terminal that shows one picture after the other, on the alternate screen. */
export interface Screen {
  show(picture: Picture): void;
  /** Puts text on the clipboard of the terminal (OSC 52). */
  copy(text: string): void;
  /** Gives the terminal back as it was. Calling it twice does nothing more. */
  close(): Promise<void>;
}

interface Shown {
  readonly picture: Picture;
  readonly hasColours: boolean;
}

function PictureRows({ picture, hasColours }: Shown): ReactNode {
  const size = useWindowSize();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { setCursorPosition } = useCursor();
  useEffect(() => picture.subscribe(redraw), [picture]);
  useInput((input, key) => {
    for (const read of readKeys(input, key)) picture.key(read);
  });
  usePaste((text) => picture.key({ kind: 'paste', text }));
  const { rows, caret } = picture.frame(size);
  setCursorPosition(caret ?? undefined);
  return createElement(
    Box,
    { flexDirection: 'column', width: size.columns, height: size.rows, overflow: 'hidden' },
    ...rows.map((line, index) => {
      const text = paintLine(line, hasColours);
      // An empty row would have no height.
      return createElement(Text, { key: index, wrap: 'truncate' }, text === '' ? ' ' : text);
    }),
  );
}

/**
 * Takes the terminal over. Only changed lines are written, in one synchronized update each; the caret is the terminal's own, so
 * that input methods show what is composed where it will stand.
 */
export function openScreen({ hasColours }: ScreenOptions): Screen {
  const { stdout } = process;
  const element = (picture: Picture): ReactNode => createElement(PictureRows, { picture, hasColours });
  let app: ReturnType<typeof render> | null = null;
  let closed: Promise<void> | null = null;
  return {
    show(picture) {
      if (closed !== null) return;
      if (app !== null) return app.rerender(element(picture));
      app = render(element(picture), {
        alternateScreen: true,
        exitOnCtrlC: false,
        incrementalRendering: true,
        // A viewer at a terminal is one also where CI is set.
        interactive: true,
        isScreenReaderEnabled: false,
        kittyKeyboard: { mode: 'auto' },
        patchConsole: false,
      });
      stdout.write(mouseOn);
    },
    copy(text) {
      stdout.write(`\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`);
    },
    close() {
      closed ??= (async () => {
        if (app === null) return;
        stdout.write(mouseOff);
        const ended = app.waitUntilExit();
        app.unmount();
        await ended;
      })();
      return closed;
    },
  };
}
