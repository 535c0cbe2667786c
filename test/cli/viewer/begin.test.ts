import { describe, expect, test } from 'vitest';
import { CommandFailure } from '../../../electron/cli/failure.ts';
import { modelOffers } from '../../../electron/cli/viewer/begin/begin-model.ts';
import { chooseSession } from '../../../electron/cli/viewer/begin/choose-session.ts';
import { wantedSession } from '../../../electron/cli/viewer/begin/find-session.ts';
import { Menu, TextField } from '../../../electron/cli/viewer/begin/menu.ts';
import { lineText } from '../../../electron/cli/viewer/text/line.ts';
import type { Picture } from '../../../electron/cli/viewer/terminal/frame.ts';
import { FakeClock } from '../../renderer/support/fake-clock.ts';
import { session } from '../../renderer/support/samples.ts';

const rowsOf = (picture: Picture, columns: number, rows: number): string[] =>
  picture
    .frame({ columns, rows })
    .rows.map((row) => lineText(row).trimEnd())
    .filter((row) => row !== '');
const press = (picture: Picture, name: 'enter' | 'escape' | 'down' | 'end'): void =>
  picture.key({ kind: 'named', name, word: false, shift: false });

describe('which session', () => {
  test('None is set up, the only one is followed, of several one is chosen: what asks first, then what works, then by activity.', () => {
    const of = (id: string, change = {}): ReturnType<typeof session> => session(id, change);
    const several = [
      of('old', { lastActivity: 1 }),
      of('new', { lastActivity: 9 }),
      of('busy', { state: 'working' }),
      of('asks', { openPrompts: 1 }),
      of('inner', { kind: 'daemon-worker' }),
    ];
    const wanted = wantedSession(several, undefined);
    expect([
      wantedSession([], undefined).kind,
      wantedSession([of('a'), of('inner', { kind: 'daemon-worker' })], undefined),
      wanted.kind === 'choose' && wanted.sessions.map(({ id }) => id),
    ]).toEqual(['set_up', { kind: 'found', session: of('a') }, ['asks', 'busy', 'new', 'old']]);
  });

  test('A name that does not exist is refused with those that do.', () => {
    const refusal = (): unknown =>
      wantedSession([session('s1', { name: 'payments' }), session('s2', { name: null })], 'paymets');
    expect(refusal).toThrow(
      new CommandFailure(
        1,
        'There is no session "paymets". There are: payments, s2.',
        'See them with: kairos sessions',
      ),
    );
    expect(() => wantedSession([], 'x')).toThrow('There are no sessions yet.');
  });

  test('The chooser shows name, state, age, and of the selected one id, kind, model and directory.', async () => {
    const clock = new FakeClock();
    let menu: Menu | null = null;
    const asker = {
      choose: (choice: ConstructorParameters<typeof Menu>[0]) =>
        new Promise<number | null>((resolve) => (menu = new Menu(choice, clock, resolve))),
      text: () => Promise.resolve(null),
      tell: () => undefined,
      close: () => Promise.resolve(),
    };
    const chosen = chooseSession(
      asker,
      [session('ses_1', { name: 'payments', state: 'asking' }), session('ses_2', { name: '支付' })],
      61_001,
    );
    const picture = menu as unknown as Menu;
    press(picture, 'down');
    const rows = rowsOf(picture, 60, 12);
    press(picture, 'enter');
    expect({ rows, chosen: (await chosen)?.id }).toEqual({
      rows: [
        'Which session?',
        '  1 payments  needs you  made 1 min ago',
        '> 2 支付      idle       made 1 min ago',
        '    ses_2  interactive  offline  /shop',
        'Up, Down, Enter; Esc leaves and changes nothing',
      ],
      chosen: 'ses_2',
    });
  });
});

describe('a menu', () => {
  const guarded = (lines: number, done: (index: number | null) => void, clock: FakeClock): Menu =>
    new Menu(
      {
        title: 'Trust?',
        body: () =>
          Array.from({ length: lines }, (_, index) => [{ text: `line ${index}`, style: 'plain' as const }]),
        offers: [{ words: 'No' }, { words: 'Yes', isGuarded: true }],
      },
      clock,
      done,
    );

  test('What allows is taken only after the end of the text was in sight and half a second has passed.', () => {
    const [clock, taken] = [new FakeClock(), [] as (number | null)[]];
    const menu = guarded(30, (index) => void taken.push(index), clock);
    rowsOf(menu, 40, 12);
    clock.pass(600);
    menu.key({ kind: 'text', text: '2' });
    const unseen = [...taken];
    press(menu, 'end');
    rowsOf(menu, 40, 12);
    clock.pass(600);
    press(menu, 'enter');
    expect({ unseen, taken }).toEqual({ unseen: [], taken: [1] });
  });

  test('Enter that is held takes only what allows nothing; Escape and Ctrl+C cancel.', () => {
    const results = (['enter', 'escape', 'ctrl'] as const).map((name) => {
      const [clock, taken] = [new FakeClock(), [] as (number | null)[]];
      const menu = guarded(2, (index) => void taken.push(index), clock);
      rowsOf(menu, 40, 12);
      if (name === 'ctrl') menu.key({ kind: 'ctrl', letter: 'c' });
      else press(menu, name);
      return taken;
    });
    expect(results).toEqual([[0], [null], [null]]);
  });

  test('A field proposes its text, which Enter takes and Escape drops.', () => {
    const taken: (string | null)[] = [];
    const field = new TextField(
      { title: 'Where?', body: () => [], initial: '/shop' },
      (text) => void taken.push(text),
    );
    const { caret } = field.frame({ columns: 40, rows: 10 });
    field.key({ kind: 'text', text: '/a' });
    press(field, 'enter');
    press(field, 'escape');
    expect({ caret, taken }).toEqual({ caret: { x: 7, y: 2 }, taken: ['/shop/a', null] });
  });
});

test('Without a daemon the models are left to Kairos; with one the default comes first.', () => {
  const model = (ref: string): never => ({ ref }) as never;
  expect([
    modelOffers(null).map(({ ref }) => ref),
    modelOffers({
      default: { ref: 'anthropic/a', from: 'key', problem: null },
      providers: [],
      models: [model('offline'), model('anthropic/a'), model('local/b')],
    }).map(({ ref, words }) => ref ?? words),
  ]).toEqual([
    [undefined, 'offline'],
    ['anthropic/a (default)', 'local/b', 'offline'],
  ]);
});
