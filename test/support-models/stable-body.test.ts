import { expect, test } from 'vitest';
import { changedBytes, stableBody } from '../support/models/stable-body.ts';

const mark = { cache_control: { type: 'ephemeral' } };
const said = (text: string, marked = false) => ({
  role: 'user',
  content: [{ type: 'text', text, ...(marked ? mark : {}) }],
});
const request = (number: number, messages: readonly unknown[], rest: Record<string, unknown> = {}) => ({
  number,
  rawBody: Buffer.from(JSON.stringify({ model: 'm', messages, tools: [mark], ...rest })),
});

test('A body is its bytes without the marks of the messages', () => {
  expect(stableBody(request(1, [said('a', true), said('b')]))).toEqual({
    before: '{"model":"m","messages":',
    messages: [JSON.stringify(said('a')), JSON.stringify(said('b'))],
    after: ',"tools":[{"cache_control":{"type":"ephemeral"}}]}',
  });
});

test('Moved marks and new messages change nothing; another byte in what was sent does', () => {
  const first = request(1, [said('a', true)]);
  expect([
    changedBytes([first, request(2, [said('a'), said('b', true)])]),
    changedBytes([first, request(2, [said('A'), said('b')])]),
    changedBytes([first, request(2, [])]),
    changedBytes([first, request(2, [said('a')], { model: 'n', stream: true })]),
  ]).toEqual([
    [],
    ['request 2: message 0'],
    ['request 2: message 0'],
    ['request 2: what is before the messages', 'request 2: what is after the messages'],
  ]);
});
