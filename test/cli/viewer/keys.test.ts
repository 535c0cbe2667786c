import { expect, test } from 'vitest';
import { type InkKey, readKeys } from '../../../electron/cli/viewer/terminal/key.ts';

const none: InkKey = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
};
const enter = { kind: 'named', name: 'enter', word: false, shift: false };
const newline = (change: object): object => ({
  kind: 'named',
  name: 'newline',
  word: false,
  shift: false,
  ...change,
});

test.each([
  ['a letter', 'a', {}, [{ kind: 'text', text: 'a' }]],
  ['Enter', '', { return: true }, [enter]],
  ['Shift+Enter', '', { return: true, shift: true }, [newline({ shift: true })]],
  ['Alt+Enter', '', { return: true, meta: true }, [newline({ word: true })]],
  ['Ctrl+J', '\n', {}, [newline({})]],
  ['Ctrl+J of the kitty protocol', 'j', { ctrl: true }, [newline({ word: true })]],
  ['Ctrl+C', 'c', { ctrl: true }, [{ kind: 'ctrl', letter: 'c' }]],
  ['quick typing with Enter in one read', 'hello\r', {}, [{ kind: 'text', text: 'hello' }, enter]],
  ['lines without marks of a paste', 'a\rb\r', {}, [{ kind: 'paste', text: 'a\rb\r' }]],
  ['the wheel up', '[<64;10;5M', {}, [{ kind: 'wheel', rows: -3 }]],
  ['the wheel down', '[<65;10;5M', {}, [{ kind: 'wheel', rows: 3 }]],
  ['a click', '[<0;10;5M', {}, []],
  ['a key that goes up', 'y', { eventType: 'release' }, []],
  ['an unknown combination', 'x', { meta: true }, []],
] as const)('%s is read as it was meant', (_name, input, change, keys) => {
  expect(readKeys(input, { ...none, ...change })).toEqual(keys);
});
