import { expect, test } from 'vitest';
import type { Ask, AskedTurn } from '../support/models/ask.ts';
import { createMind } from '../support/models/mind.ts';
import { call, calls, text, thinking } from '../support/models/script.ts';
import type { SeenRequest } from '../support/models/seen.ts';

const blank: AskedTurn = { role: 'user', text: '', images: 0, thinking: '', calls: [], results: [] };
const says = (said: string): AskedTurn => ({ ...blank, text: said });
const answered: AskedTurn = { ...blank, role: 'assistant', text: 'ok' };
const results = (beside = ''): AskedTurn => ({
  ...blank,
  text: beside,
  results: [{ id: 'c', name: 'Bash', text: 'out', images: 0, isError: false }],
});

function asking(...turns: AskedTurn[]): Ask {
  return { wire: 'openai', model: 'm', stream: true, maxTokens: 1, system: '', tools: [], turns };
}

function mindUnderTest() {
  const mind = createMind();
  mind
    .when(/deploy/i)
    .thinks('Hm.')
    .calls(call('Bash', { command: 'ship' }))
    .says('Shipped.');
  mind.when(/stop/).says('Stopped.');
  mind.otherwise().says('What?');
  return (...turns: AskedTurn[]) => mind.answer(asking(...turns), {} as SeenRequest);
}

test('the steps of a rule follow the conversation, so that a repeated request gets the same answer', () => {
  const answer = mindUnderTest();
  const first = [thinking('Hm.'), calls(call('Bash', { command: 'ship' }))];
  expect([
    answer(says('Deploy it')),
    answer(says('Deploy it')),
    answer(says('Deploy it'), answered, results()),
    answer(says('Deploy it'), answered, results('remark of the client')),
    answer(says('Deploy it'), answered, results('stop')),
    answer(says('Deploy it'), answered, says('Hello')),
    answer(says('Hello'), answered, says('Deploy it')),
  ]).toEqual([
    first,
    first,
    [text('Shipped.')],
    [text('Shipped.')],
    [text('Stopped.')],
    [text('What?')],
    first,
  ]);
});

test('a rule whose steps are used up says so instead of making something up', () => {
  const answer = mindUnderTest();
  expect(() => answer(says('stop'), answered, results())).toThrow('the mind has no step 2 for /stop/');
});
