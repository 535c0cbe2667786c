import { describe, expect, test } from 'vitest';
import { KairosError } from '../../../shared/base/errors.ts';
import { noUsage } from '../../../shared/domain/messages.ts';
import { LinkClient } from '../../../electron/worker/links/link-client.ts';
import { SessionLink } from '../../../electron/worker/links/session-link.ts';
import { FakeTransport } from '../support/fake-transport.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { sampleLease } from '../support/sample-lease.ts';

function setUp() {
  const transport = new FakeTransport();
  const client = new LinkClient(transport);
  const lease = sampleLease('/d', { environment: {} });
  const interrupt = new AbortController().signal;
  const clock = new ManualClock();
  const link = new SessionLink({ lease, client, transport, clock, interrupt, drafts: true });
  return { transport, client, link, clock };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));
const asks = (transport: FakeTransport) =>
  transport.sent.flatMap((frame) => (frame.type === 'ask' ? [[frame.id, frame.verb]] : []));

describe('questions to the daemon', () => {
  test('a session has one unanswered question at a time, whoever asks', async () => {
    const { transport, client, link } = setUp();
    const first = link.ask('nextStep', { known: 0 });
    const second = link.ask('context', { after: 0, limit: 1 });
    await tick();
    const before = asks(transport);
    client.failed(1, 'stale', 'moved on');
    await expect(first).rejects.toMatchObject({ code: 'stale' });
    await tick();
    client.answered(2, { messages: [], more: false });
    expect([before, asks(transport), await second]).toEqual([
      [[1, 'nextStep']],
      [
        [1, 'nextStep'],
        [2, 'context'],
      ],
      { messages: [], more: false },
    ]);
  });

  test('a reply of 8 MB and a context of 8 MB are sent, larger ones are not', async () => {
    const { transport, link } = setUp();
    const megabyte = 1024 * 1024;
    const record = (text: string, context: string) =>
      link.ask('recordReply', {
        step: 'stp_1',
        reply: { model: 'm', parts: [{ type: 'text', text }], stop: 'end' },
        usage: noUsage,
        known: 0,
        context,
      });
    const context = (bytes: number) => Buffer.alloc(bytes).toString('base64');
    await expect(record('x'.repeat(8 * megabyte), '')).rejects.toMatchObject({ code: 'too_large' });
    await expect(record('', context(8 * megabyte + 1))).rejects.toMatchObject({ code: 'too_large' });
    expect(transport.sent).toEqual([]);
    void record('x'.repeat(8 * megabyte - 100), context(8 * megabyte));
    await tick();
    expect(asks(transport)).toEqual([[3, 'recordReply']]);
  });

  test('what the wire refuses rejects, and the next question goes out', async () => {
    const { transport, client, link } = setUp();
    transport.refuses = new KairosError('parcel_not_written', 'No folder.');
    await expect(link.ask('nextStep', { known: 0 })).rejects.toMatchObject({ code: 'parcel_not_written' });
    transport.refuses = null;
    const next = link.ask('nextStep', { known: 0 });
    await tick();
    client.answered(2, { kind: 'idle' });
    expect([client.answered(1, { kind: 'idle' }), await next]).toEqual([false, { kind: 'idle' }]);
  });

  test('answers that are malformed or not asked for are told apart', async () => {
    const { client, link } = setUp();
    const asked = link.ask('nextStep', { known: 0 });
    await tick();
    expect([
      client.answered(1, { kind: 'nonsense' }),
      client.answered(1, {}),
      client.failed(7, 'x', 'y'),
    ]).toEqual([true, false, false]);
    await expect(asked).rejects.toMatchObject({ code: 'bad_answer' });
  });

  test('a closed link fails what waits and what comes', async () => {
    const { client, link } = setUp();
    const waiting = link.ask('nextStep', { known: 0 });
    await tick();
    client.close();
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect(link.ask('nextStep', { known: 0 })).rejects.toMatchObject({ code: 'closed' });
  });

  test('a reply on its way makes waiting drafts useless; a closed session leaves no timer', async () => {
    const { transport, link, clock } = setUp();
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 0 };
    link.draft({ step: 'stp_1', part: 0, kind: 'text', text: 'a' });
    link.draft({ step: 'stp_1', part: 0, kind: 'text', text: 'b' });
    void link.ask('recordReply', {
      step: 'stp_1',
      reply: { model: 'm', parts: [], stop: 'end' },
      usage,
      known: 0,
    });
    clock.advance(100);
    link.activity('x');
    link.close();
    const texts = transport.sent.flatMap((frame) => (frame.type === 'draft' ? [frame.text] : []));
    expect([texts, clock.waiting]).toEqual([['a'], 0]);
  });
});
