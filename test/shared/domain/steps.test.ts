import { describe, expect, it } from 'vitest';
import { afterStep, isAnswered, type OpenTurn } from '../../../shared/domain/steps.ts';

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
  const end = (deliver: string | null, failed: string | null) => ({ kind: 'end', deliver, failed }) as const;
  const failed = 'The turn ended without an answer.';
  it.each([
    ['calls ask for the next step', {}, true, '', { kind: 'next' }],
    ['calls ask for the next step also after a nudge', { nudged: true }, true, 'text', { kind: 'next' }],
    ['an unanswered message gets a nudge', {}, false, '', { kind: 'nudge' }],
    ['a text alone is no answer yet', {}, false, 'Done.', { kind: 'nudge' }],
    ['after the nudge the text is delivered', { nudged: true }, false, ' Done. ', end('Done.', null)],
    ['after the nudge an empty text is a failure', { nudged: true }, false, ' \n ', end(null, failed)],
    ['an answered turn ends', { answered: ['viewers'] }, false, 'more', end(null, null)],
    ['a silenced turn ends', { silenced: ['wak_1'] }, false, '', end(null, null)],
    ['a turn that owes nothing ends', { owes: [] }, false, 'text', end(null, null)],
    [
      'one of two chats left waiting gets a nudge',
      { owes: [owed, other], answered: ['viewers'] },
      false,
      '',
      { kind: 'nudge' },
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
  ] as const)('%s', (_title, change, hadCalls, text, expected) => {
    expect(afterStep({ ...turn, ...change } as OpenTurn, hadCalls, text, true)).toEqual(expected);
  });
  it.each([
    ['calls ask for the next step', {}, true, 'text', { kind: 'next' }],
    ['the text is the answer at once', {}, false, ' Done. ', end('Done.', null)],
    ['an empty text is a failure at once', {}, false, ' \n ', end(null, failed)],
    ['the text of a turn that nobody asked for is told', { owes: [] }, false, 'Built.', end('Built.', null)],
    ['an empty one of such a turn is not', { owes: [] }, false, '', end(null, null)],
    [
      'what was answered by a tool is not answered again',
      { answered: ['viewers'] },
      false,
      'more',
      end(null, null),
    ],
    ['nor what was silenced', { silenced: ['wak_1'] }, false, 'more', end(null, null)],
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
