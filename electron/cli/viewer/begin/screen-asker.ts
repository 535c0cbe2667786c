import type { Clock } from '../../../../shared/base/ports.ts';
import type { Screen } from '../terminal/ink-screen.ts';
import type { Asker } from './asker.ts';
import { Menu, TextField, Waiting } from './menu.ts';

/** Asks on the whole terminal. */
export function screenAsker(screen: Screen, clock: Clock): Asker {
  return {
    choose: (choice) => new Promise((resolve) => screen.show(new Menu(choice, clock, resolve))),
    text: (question) => new Promise((resolve) => screen.show(new TextField(question, resolve))),
    tell: (words) => screen.show(new Waiting(words)),
    close: () => screen.close(),
  };
}
