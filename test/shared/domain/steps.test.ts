import { describe, expect, it } from 'vitest';
import {
  afterStep,
  isAnswered,
  nudgeText,
  type OpenTurn,
  withAnswer,
  withCall,
  withDebts,
  workNudgeText,
} from '../../../shared/domain/steps.ts';

const owed = { wake: 'wak_1', message: 'msg_1', ref: 'm1', routeKey: 'viewers' };
const other = { wake: 'wak_2', message: 'msg_2', ref: 'm2', routeKey: 'chat' };
const turn: OpenTurn = {
  id: 'trn_1',
  beganAt: 0,
  seq: 1,
  steps: 1,
  nudged: false,
  owes: [owed],
  answered: [],
  silenced: [],
};

describe('what follows a step', () => {
  const end = (deliver: string | null, failed: string | null, to: OpenTurn['owes'] = []) =>
    ({ kind: 'end', deliver, failed, to }) as const;
  const nudge = { kind: 'nudge', text: nudgeText } as const;
  const failed = 'The turn ended without an answer.';
  it.each([
    ['calls ask for the next step', {}, true, '', { kind: 'next' }],
    ['calls ask for the next step also after a nudge', { nudged: true }, true, 'text', { kind: 'next' }],
    ['an unanswered message gets a nudge', {}, false, '', nudge],
    ['a text alone is no answer yet', {}, false, 'Done.', nudge],
    ['after the nudge the text is delivered', { nudged: true }, false, ' Done. ', end('Done.', null, [owed])],
    [
      'after the nudge an empty text is a failure',
      { nudged: true },
      false,
      ' \n ',
      end(null, failed, [owed]),
    ],
    ['an answered turn ends', { answered: ['viewers'] }, false, 'more', end(null, null)],
    ['a silenced turn ends', { silenced: ['wak_1'] }, false, '', end(null, null)],
    ['a turn that owes nothing ends', { owes: [] }, false, 'text', end(null, null)],
    [
      'one of two chats left waiting gets a nudge',
      { owes: [owed, other], answered: ['viewers'] },
      false,
      '',
      nudge,
    ],
    [
      'both chats answered end it',
      { owes: [owed, other], answered: ['viewers', 'chat'] },
      false,
      '',
      end(null, null),
    ],
    [
      'one answered and one silenced end it',
      { owes: [owed, other], answered: ['viewers'], silenced: ['wak_2'] },
      false,
      '',
      end(null, null),
    ],
    [
      'work that followed the answer gets a nudge',
      { answered: ['viewers'], worked: ['viewers'] },
      false,
      'The result.',
      { kind: 'nudge', text: workNudgeText },
    ],
    [
      'after it the text is delivered',
      { answered: ['viewers'], worked: ['viewers'], nudged: true },
      false,
      'The result.',
      end('The result.', null, [owed]),
    ],
    [
      'no text after it means that there is nothing to add',
      { answered: ['viewers'], worked: ['viewers'], nudged: true },
      false,
      '',
      end(null, null),
    ],
    [
      'a chat without any answer and one behind the work get the same text',
      { owes: [owed, other], answered: ['chat'], worked: ['chat'], nudged: true },
      false,
      'The result.',
      end('The result.', null, [owed, other]),
    ],
    [
      'only the one without any answer is told of a failure',
      { owes: [owed, other], answered: ['chat'], worked: ['chat'], nudged: true },
      false,
      '',
      end(null, failed, [owed]),
    ],
    [
      'a silenced message is not behind',
      { answered: ['viewers'], worked: ['viewers'], silenced: ['wak_1'] },
      false,
      'x',
      end(null, null),
    ],
  ] as const)('%s', (_title, change, hadCalls, text, expected) => {
    expect(afterStep({ ...turn, ...change } as OpenTurn, hadCalls, text, true)).toEqual(expected);
  });
  it.each([
    ['calls ask for the next step', {}, true, 'text', { kind: 'next' }],
    ['the text is the answer at once', {}, false, ' Done. ', end('Done.', null, [owed])],
    ['an empty text is a failure at once', {}, false, ' \n ', end(null, failed, [owed])],
    ['the text of a turn that nobody asked for is told', { owes: [] }, false, 'Built.', end('Built.', null)],
    ['an empty one of such a turn is not', { owes: [] }, false, '', end(null, null)],
    [
      'the text is told also to those that got a file or a word before',
      { owes: [owed, other], answered: ['viewers'] },
      false,
      'more',
      end('more', null, [owed, other]),
    ],
    ['an empty one after a file is no failure', { answered: ['viewers'] }, false, ' ', end(null, null)],
    [
      'the text of a turn that nobody asked for is told after a file too',
      { owes: [], answered: ['viewers'] },
      false,
      'Built.',
      end('Built.', null),
    ],
    [
      'work is no reason for a nudge',
      { answered: ['viewers'], worked: ['viewers'] },
      false,
      'more',
      end('more', null, [owed]),
    ],
    ['what was silenced is not told', { silenced: ['wak_1'] }, false, 'more', end(null, null)],
  ] as const)('outside of brief mode: %s', (_title, change, hadCalls, text, expected) => {
    expect(afterStep({ ...turn, ...change } as OpenTurn, hadCalls, text, false)).toEqual(expected);
  });
});

describe('a message is answered', () => {
  it.each([
    ['by a word to its chat', { answered: ['viewers'] }, true],
    ['by silence meant for it', { silenced: ['wak_1'] }, true],
    ['not by a word to another chat', { answered: ['chat'] }, false],
    ['not by silence for another message', { silenced: ['wak_2'] }, false],
  ])('%s', (_title, change, answered) => {
    expect(isAnswered({ ...turn, ...change }, owed)).toBe(answered);
  });
});

describe('work after an answer', () => {
  const spoken = withAnswer(turn, ['viewers']);
  const worked = withCall(spoken, 'Bash');
  it('puts its chat behind until the next word to it', () => {
    expect([worked.worked, withAnswer(worked, ['chat']).worked, withAnswer(worked, ['viewers'])]).toEqual([
      ['viewers'],
      ['viewers'],
      spoken,
    ]);
  });
  it('is no work where nothing comes of it, and before an answer nobody is behind', () => {
    const quiet = [
      'SendUserMessage',
      'Brief',
      'send_user_file',
      'NoReply',
      'TodoWrite',
      'Sleep',
      'FindTools',
    ];
    expect([
      ...quiet.map((tool) => withCall(spoken, tool) === spoken),
      withCall(turn, 'Bash') === turn,
    ]).toEqual([...quiet, ''].map(() => true));
  });
  it('is told with the answer to a message of the same chat that came since', () => {
    const routeKey = 'telegram\u00007\u0000';
    const first: OpenTurn = { ...turn, owes: [{ ...owed, routeKey }] };
    const later = { ...owed, wake: 'wak_3', ref: 'm3', routeKey };
    const behind = withCall(withAnswer(first, [routeKey]), 'Bash');
    const joined = withCall(withDebts(behind, [later]), 'Bash');
    const plain = afterStep(joined, false, 'All of it.', false);
    expect([
      joined.worked ?? [],
      joined.owes.map((each) => isAnswered(joined, each)),
      afterStep(withAnswer(joined, [routeKey]), false, '', true),
      plain.kind === 'end' && plain.to.map(({ ref }) => ref),
    ]).toEqual([[], [true, false], { kind: 'end', deliver: null, failed: null, to: [] }, ['m3']]);
  });
});
