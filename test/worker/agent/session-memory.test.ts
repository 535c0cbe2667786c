import { describe, expect, test } from 'vitest';
import type { ContextMessage } from '../../../shared/domain/messages.ts';
import { noUsage } from '../../../shared/domain/messages.ts';
import { Conversation } from '../../../electron/worker/agent/conversation.ts';
import type { ModelPort, SideRequest } from '../../../electron/worker/agent/ports.ts';
import { SessionMemory } from '../../../electron/worker/agent/session-memory.ts';
import { newHookState } from '../../../electron/worker/agent/hook-state.ts';
import type { Work } from '../../../electron/worker/agent/work.ts';
import { fixedFrames, sampleFrame } from '../../support/sample-frame.ts';
import { fakeModel, fakeTools } from '../support/fakes.ts';
import { said, ScriptedPort, type Turn } from '../support/scripted-port.ts';
import { ok } from '../support/messages.ts';

const never = new AbortController().signal;
const begun: Turn = { verb: 'beginSide', answer: { id: 'side_1' } };
const ended: Turn = { verb: 'endSide', answer: {} };
const stored: Turn = { verb: 'memo', answer: {} };
/** About 3,000 tokens. */
const long = (seq: number): ContextMessage =>
  ({ ...said(seq, `number ${seq} ${'word '.repeat(2_000)}`), ref: `m${seq}` }) as ContextMessage;

interface Given {
  readonly messages: readonly ContextMessage[];
  readonly turns: readonly Turn[];
  readonly write?: ModelPort['write'];
  readonly need?: 'turn' | 'all';
  readonly lease?: ConstructorParameters<typeof ScriptedPort>[1];
}

function worker({ messages, turns, write, need = 'all', lease }: Given) {
  const sides: SideRequest[] = [];
  const { model } = fakeModel([], {
    contextNeed: need,
    limits: { ref: 'test', contextTokens: 200_000, maxOutputTokens: 8_000 },
    write:
      write === undefined
        ? async (request) => {
            sides.push(request);
            return { text: 'The note.', usage: noUsage };
          }
        : write,
  });
  const port = new ScriptedPort(turns, lease);
  const conversation = new Conversation({ known: 0, compaction: port.lease.compaction, room: 192_000 });
  conversation.add(messages as never);
  const { tools } = fakeTools(() => ok(''));
  const frame = sampleFrame('f');
  const work: Work = {
    port,
    model,
    tools,
    frames: fixedFrames(frame),
    frame,
    conversation,
    memo: port.lease.memo,
    ...newHookState(),
  };
  return { work, port, sides, memory: new SessionMemory() };
}

describe('the running note of a session', () => {
  test('is written beside the session once enough is new, and stored with how far it reaches', async () => {
    const { work, port, sides, memory } = worker({
      messages: [long(1), long(2), long(3)],
      turns: [begun, ended, stored],
    });
    memory.consider(work, never);
    memory.consider(work, never);
    await memory.settled();
    expect({
      asked: port.asked.map(({ verb, input }) => [verb, verb === 'beginSide' ? 'size' : input]),
      memo: work.memo,
    }).toEqual({
      asked: [
        ['beginSide', 'size'],
        ['endSide', { id: 'side_1', usage: noUsage }],
        ['memo', { upTo: 3, text: 'The note.' }],
      ],
      memo: { upTo: 3, text: 'The note.' },
    });
    expect(sides[0]?.text).toContain('number 2');
  });

  test('is brought up to date from what came after it', async () => {
    const { work, sides, memory } = worker({
      messages: [long(1), long(2), long(3), long(4)],
      turns: [begun, ended, stored],
      lease: { memo: { upTo: 1, text: 'Earlier note.' } },
    });
    memory.consider(work, never);
    await memory.settled();
    const text = sides[0]?.text ?? '';
    expect(['Earlier note.', 'number 1', 'number 2', 'number 4'].map((each) => text.includes(each))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  const nothing: readonly (readonly [string, Omit<Given, 'turns'>])[] = [
    ['too little is new', { messages: [long(1)] }],
    [
      'the note covers nearly all of it',
      { messages: [long(1), long(2), long(3)], lease: { memo: { upTo: 2, text: 'n' } } },
    ],
    ['the model writes nothing but replies', { messages: [long(1), long(2), long(3)], write: null }],
    ['the engine reads one turn only', { messages: [long(1), long(2), long(3)], need: 'turn' }],
    [
      'the setting is off',
      { messages: [long(1), long(2), long(3)], lease: { loop: { repeatLimit: 5, sessionMemory: false } } },
    ],
  ];
  test.each(nothing)('is left alone when %s', async (_, given) => {
    const { work, port, memory } = worker({ ...given, turns: [] });
    memory.consider(work, never);
    await memory.settled();
    expect(port.asked).toEqual([]);
  });

  const failures: readonly (readonly [string, Partial<Given>, readonly string[]])[] = [
    [
      'the budget refuses it',
      { turns: [{ verb: 'beginSide', answer: { refused: 'No money.' } }] },
      ['beginSide'],
    ],
    [
      'the model fails',
      { turns: [begun, ended], write: () => Promise.reject(new Error('busy')) },
      ['beginSide', 'endSide'],
    ],
    [
      'the model writes nothing',
      { turns: [begun, ended], write: async () => ({ text: ' ', usage: noUsage }) },
      ['beginSide', 'endSide'],
    ],
    ['the lease is over', { turns: [{ verb: 'beginSide', answer: { fault: 'stale' } }] }, ['beginSide']],
  ];
  test.each(failures)('is given up when %s, and not tried again for the same', async (_, given, verbs) => {
    const { work, port, memory } = worker({ messages: [long(1), long(2), long(3)], turns: [], ...given });
    memory.consider(work, never);
    await memory.settled();
    memory.consider(work, never);
    await memory.settled();
    expect([port.asked.map(({ verb }) => verb), work.memo]).toEqual([verbs, null]);
  });

  test('is abandoned when the worker is asked to let go', async () => {
    const stop = new AbortController();
    const write: ModelPort['write'] = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        stop.abort();
      });
    const { work, port, memory } = worker({ messages: [long(1), long(2), long(3)], turns: [begun], write });
    memory.consider(work, stop.signal);
    await memory.settled();
    expect([port.asked.map(({ verb }) => verb), work.memo]).toEqual([['beginSide'], null]);
  });
});
