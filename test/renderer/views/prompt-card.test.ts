import type { PromptKind } from '../../../shared/domain/prompts.ts';
import { describe, expect, test } from 'vitest';
import { choicesFor } from '../../../shared/viewing/prompt-choices.ts';
import { endingOf, whoOf } from '../../../shared/viewing/prompt-ending.ts';
import { KeyArming } from '../../../renderer/views/prompt-card/key-arming.ts';
import { openPrompts } from '../../../shared/viewing/open-prompts.ts';
import { answerText, optionAt } from '../../../shared/viewing/question-answer.ts';
import { openSession } from '../../../shared/session/session-view.ts';
import { home, prompt, snapshot } from '../support/samples.ts';

describe('The keys of a card', () => {
  const press = (arming: KeyArming, at: number): boolean => {
    arming.keyDown('KeyY');
    const takes = arming.takesKey('KeyY', at);
    arming.keyUp('KeyY');
    return takes;
  };

  test('answer only with the focus, and 500 ms after it came.', () => {
    const arming = new KeyArming(0);
    const without = press(arming, 1000);
    arming.focused(1000);
    const [early, due] = [press(arming, 1499), press(arming, 1500)];
    arming.blurred();
    expect({ without, early, due, left: press(arming, 3000) }).toEqual({
      without: false,
      early: false,
      due: true,
      left: false,
    });
  });

  test('are not armed anew by moving inside the card, but by every new prompt.', () => {
    const arming = new KeyArming(0);
    arming.focused(1000);
    arming.focused(1400);
    const inside = press(arming, 1500);
    arming.shown(2000);
    expect({ inside, early: press(arming, 2499), due: press(arming, 2500) }).toEqual({
      inside: true,
      early: false,
      due: true,
    });
  });

  test('wait until every other key is up, and forget keys whose end nobody heard.', () => {
    const arming = new KeyArming(0);
    arming.focused(0);
    arming.keyDown('ShiftLeft');
    const held = press(arming, 1000);
    arming.keyUp('ShiftLeft');
    const free = press(arming, 1000);
    arming.keyDown('AltLeft');
    arming.forgetKeys();
    expect({ held, free, forgotten: press(arming, 1000) }).toEqual({
      held: false,
      free: true,
      forgotten: true,
    });
  });

  test('count a click 500 ms after the prompt appeared, a key on a button 500 ms after the focus.', () => {
    const arming = new KeyArming(100);
    const clicks = [arming.takesPress(599), arming.takesPress(600)];
    arming.focused(1000);
    expect({ clicks, keys: [arming.takesButtonKey(1499), arming.takesButtonKey(1500)] }).toEqual({
      clicks: [false, true],
      keys: [false, true],
    });
  });
});

describe('The answers of a card', () => {
  const names = (
    facts: Omit<Parameters<typeof choicesFor>[0], 'kind'>,
    kind: PromptKind = 'approval',
  ): string[] => choicesFor({ kind, ...facts }).map(({ name, isReady }) => `${name} ${isReady}`);

  test.each([
    [
      { rule: 'R', canKeep: true, isSeen: true, isSending: false },
      ['deny true', 'once true', 'session true', 'always true'],
    ],
    [
      { rule: 'R', canKeep: true, isSeen: false, isSending: false },
      ['deny true', 'once false', 'session false', 'always false'],
    ],
    [{ rule: 'R', canKeep: false, isSeen: true, isSending: false }, ['deny true', 'once true']],
    [{ rule: null, canKeep: true, isSeen: true, isSending: false }, ['deny true', 'once true']],
    [{ rule: null, canKeep: true, isSeen: true, isSending: true }, ['deny false', 'once false']],
  ])('with %j are %j.', (facts, expected) => {
    expect(names(facts)).toEqual(expected);
  });

  test('of a plan may let files change for the session; trust in a directory has no scopes.', () => {
    const facts = { rule: null, canKeep: true, isSeen: true, isSending: false };
    expect([
      names(facts, 'plan'),
      names({ ...facts, canKeep: false }, 'plan'),
      names(facts, 'trust'),
    ]).toEqual([
      ['deny true', 'once true', 'session true'],
      ['deny true', 'once true'],
      ['deny true', 'once true'],
    ]);
  });

  test('name one option by its label, several by label or, where a label has a separator, by letter.', () => {
    const plain = [{ label: 'red' }, { label: 'green' }, { label: 'blue' }];
    const spaced = [{ label: 'dark red' }, { label: 'green' }];
    expect([
      answerText(plain, [1]),
      answerText(spaced, [0]),
      answerText(plain, [0, 2]),
      answerText(spaced, [0, 1]),
    ]).toEqual(['green', 'dark red', 'red, blue', 'a, b']);
  });

  test.each([
    ['a', 0],
    ['B', 1],
    ['c', null],
    ['Enter', null],
    ['1', null],
  ])('give the key %s option %s of two.', (key, index) => {
    expect(optionAt([{ label: 'x' }, { label: 'y' }], key)).toBe(index);
  });
});

describe('What a session asks', () => {
  test('is what its own topic says, and what home knows besides; oldest first.', () => {
    const page = openSession(
      snapshot([], { prompts: [prompt('done', { state: 'decided' }), prompt('own', { createdAt: 5 })] }),
      0,
    );
    const listed = [
      prompt('done'),
      prompt('own'),
      prompt('news', { createdAt: 3 }),
      prompt('foreign', { session: 'other' }),
    ];
    const ids = (pages: Record<string, typeof page>): string[] =>
      openPrompts({ pages, home: home({ prompts: listed }) }, 's').map(({ id }) => id);
    expect([ids({ s: page }), ids({})]).toEqual([
      ['news', 'own'],
      ['done', 'own', 'news'],
    ]);
  });

  test('ends in one of seven ways, answered by this window, the owner elsewhere, or a device by name.', () => {
    const by = { surface: 'viewers', principal: 'owner', at: 1 };
    const ends = [
      { state: 'open', verdict: null },
      { state: 'decided', verdict: { behavior: 'allow', scope: 'session' } },
      { state: 'decided', verdict: { behavior: 'deny' } },
      { state: 'decided', verdict: { behavior: 'answer', text: 'x' } },
      { state: 'expired', verdict: null },
      { state: 'withdrawn', verdict: null },
    ] as const;
    expect({
      ends: ends.map(endingOf),
      who: [
        whoOf({ ...by, device: 'd' }, 'd'),
        whoOf({ ...by, device: 'e' }, 'd'),
        whoOf(by, 'd'),
        whoOf({ ...by, principal: 'phone', device: 'p' }, 'd'),
      ],
    }).toEqual({
      ends: [null, 'session', 'deny', 'answer', 'expired', 'withdrawn'],
      who: [
        { kind: 'you' },
        { kind: 'ownerElsewhere' },
        { kind: 'ownerElsewhere' },
        { kind: 'other', name: 'phone' },
      ],
    });
  });
});
