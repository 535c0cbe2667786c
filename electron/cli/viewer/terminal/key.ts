/** Keys that have a name here. */
export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'pageup'
  | 'pagedown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  /** Ctrl+J, Shift+Enter or Alt+Enter: a line end in what is typed. */
  | 'newline';

/** What comes from the keyboard, the wheel or the clipboard. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'named'; readonly name: KeyName; readonly word: boolean; readonly shift: boolean }
  /** Ctrl with a letter. */
  | { readonly kind: 'ctrl'; readonly letter: string }
  /** Rows down; negative: up. */
  | { readonly kind: 'wheel'; readonly rows: number };

/** The part of ink's keys that is read. */
export interface InkKey {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageDown: boolean;
  readonly pageUp: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly tab: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
  readonly meta: boolean;
  readonly eventType?: 'press' | 'repeat' | 'release' | undefined;
}

const wheelRows = 3;
/** A mouse report of SGR mode, as ink hands it on (without its ESC). */
const mouse = /^\[<(\d+);\d+;\d+[Mm]$/;

const named = (name: KeyName, { ctrl, meta, shift }: InkKey): Key => ({
  kind: 'named',
  name,
  word: ctrl || meta,
  shift,
});

/** What ink heard, as keys. Several characters at once are typed quickly or pasted; only a last Enter counts as one. */
export function readKeys(input: string, key: InkKey): Key[] {
  if (key.eventType === 'release') return [];
  const report = mouse.exec(input);
  if (report !== null) return wheel(Number(report[1]));
  const name = nameOf(key);
  if (name !== null) return [named(name === 'enter' && (key.shift || key.meta) ? 'newline' : name, key)];
  if (key.ctrl)
    return input === 'j'
      ? [named('newline', key)]
      : /^[a-z]$/.test(input)
        ? [{ kind: 'ctrl', letter: input }]
        : [];
  if (input === '\n') return [named('newline', key)];
  if (key.meta || input === '') return metaKeys(input, key);
  return textKeys(input, key);
}

function wheel(button: number): Key[] {
  if (button === 64) return [{ kind: 'wheel', rows: -wheelRows }];
  return button === 65 ? [{ kind: 'wheel', rows: wheelRows }] : [];
}

function nameOf(key: InkKey): KeyName | null {
  if (key.upArrow) return 'up';
  if (key.downArrow) return 'down';
  if (key.leftArrow) return 'left';
  if (key.rightArrow) return 'right';
  if (key.pageUp) return 'pageup';
  if (key.pageDown) return 'pagedown';
  if (key.home) return 'home';
  if (key.end) return 'end';
  if (key.return) return 'enter';
  if (key.escape) return 'escape';
  if (key.tab) return 'tab';
  if (key.backspace) return 'backspace';
  return key.delete ? 'delete' : null;
}

/** Alt with a letter moves by words, as shells do. */
function metaKeys(input: string, key: InkKey): Key[] {
  if (input === 'b') return [{ ...named('left', key), word: true } as Key];
  if (input === 'f') return [{ ...named('right', key), word: true } as Key];
  return [];
}

function textKeys(input: string, key: InkKey): Key[] {
  const entered = /^([^\r\n]+)\r$/.exec(input)?.[1];
  if (entered !== undefined) return [{ kind: 'text', text: entered }, named('enter', key)];
  // Lines without the marks of a paste: a terminal that does not know them. Nothing in them may send.
  return /[\r\n]/.test(input) ? [{ kind: 'paste', text: input }] : [{ kind: 'text', text: input }];
}
