import { describe, expect, it } from 'vitest';
import type { EventType, StoredEvent } from '../../shared/domain/events.ts';
import { projectContext } from '../../shared/session/context.ts';

const at = { id: 0, session: 'ses_1', at: 0, v: 1 };
const event = (seq: number, type: EventType, body: unknown): StoredEvent =>
  ({ ...at, seq, type, body }) as StoredEvent;
const texts: Record<number, string> = { 1: 'first', 2: 'second' };
const textOf = (seq: number) => ({
  text: texts[seq] ?? '',
  kind: seq === 2 ? ('channel' as const) : ('person' as const),
});
const reply = { model: 'm', parts: [{ type: 'call', id: 'cal_1', tool: 'Bash', input: {} }], stop: 'calls' };
const result = { outcome: 'ok', output: 'done' };

describe('the context of a session', () => {
  it('has a message where a step took it, not where it came', () => {
    const events = [
      event(1, 'message.received', {}),
      event(2, 'message.received', {}),
      event(3, 'turn.began', { turn: 't' }),
      event(4, 'step.began', {
        turn: 't',
        delivered: [
          { ref: 'm1', seq: 1 },
          { ref: 'm2', seq: 2 },
        ],
      }),
    ];
    expect(projectContext(events, textOf)).toEqual([
      { role: 'user', seq: 4, text: 'first', ref: 'm1', turn: 't' },
      { role: 'user', seq: 4, text: 'second', ref: 'm2', turn: 't' },
    ]);
  });

  it('has replies, results and nudges in the order of the log, and nothing else', () => {
    const events = [
      event(5, 'step.replied', { turn: 't', step: 's', reply, usage: {} }),
      event(6, 'prompt.opened', {}),
      event(7, 'call.began', { turn: 't', call: 'cal_1' }),
      event(8, 'call.ended', { turn: 't', step: 's', call: 'cal_1', tool: 'Bash', result }),
      event(9, 'message.sent', {}),
      event(10, 'turn.nudged', { turn: 't', text: 'Answer now.' }),
      event(11, 'step.abandoned', {}),
      event(12, 'turn.ended', {}),
      event(13, 'delivery.done', {}),
    ];
    expect(projectContext(events, textOf)).toEqual([
      { role: 'assistant', seq: 5, reply, turn: 't' },
      { role: 'result', seq: 8, call: 'cal_1', tool: 'Bash', result, turn: 't' },
      { role: 'user', seq: 10, text: 'Answer now.', ref: undefined, turn: 't' },
    ]);
  });

  it('gives a ref to people and channels alone: what Kairos itself tells has none, and says why it came', () => {
    const kinds = ['person', 'channel', 'task_ended', 'tick', 'schedule', 'webhook', 'teammate'] as const;
    const delivered = kinds.map((kind, index) => ({ ref: `m${index + 1}`, seq: index + 1 }));
    const began = event(9, 'step.began', { turn: 't', delivered });
    const context = projectContext([began], (seq) => ({ text: '', kind: kinds[seq - 1] ?? 'person' }));
    expect(context.map((message) => message.role === 'user' && [message.ref, message.wake])).toEqual([
      ['m1', undefined],
      ['m2', undefined],
      ...kinds.slice(2).map((kind) => [undefined, kind]),
    ]);
  });

  it('passes over types of a newer build', () => {
    expect(projectContext([event(1, 'dream.ended' as EventType, {})], textOf)).toEqual([]);
  });
});
