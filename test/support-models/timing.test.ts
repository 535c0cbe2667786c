import { describe, expect, test } from 'vitest';
import { createGate } from '../support/models/gate.ts';
import { endless, hang, hugeText, start, text, wait } from '../support/models/script.ts';
import { wireNames } from '../support/models/start.ts';
import { post } from './support/clients.ts';
import { readAll, serving } from './support/serving.ts';

for (const wire of wireNames) {
  describe(`time on the ${wire} wire`, () => {
    test('a gate holds back the headers, then each delta, and the test sees that it is reached', async () => {
      const head = createGate();
      const slow = createGate();
      const server = await serving(wire, [wait(head), start(), text('abcdef', { chunk: 2, gate: slow })]);
      const pending = post(server, { stream: true });
      const seen = await server.nextRequest();
      await head.reached();
      head.open();
      const response = await pending;
      await slow.reached(1);
      slow.step();
      await slow.reached(2);
      slow.open();
      const all = await readAll(response);
      expect([all.broken, await seen.outcome, server.complaints]).toEqual([false, 'answered', []]);
    });

    test('a client that leaves ends silence, a closed gate and endless text', async () => {
      const server = await serving(wire, [text('A'), hang()], [text('A'), wait(createGate())], [endless()]);
      for (let round = 0; round < 3; round += 1) {
        const leave = new AbortController();
        const response = await post(server, { stream: true }, { signal: leave.signal });
        await response.body!.getReader().read();
        leave.abort();
      }
      expect(await Promise.all(server.requests.map(({ outcome }) => outcome))).toEqual([
        'left',
        'left',
        'left',
      ]);
    });

    test('closing the server frees a client that waits', async () => {
      const server = await serving(wire, [hang()]);
      const pending = post(server, { stream: true });
      pending.catch(() => undefined);
      await server.nextRequest();
      await server.close();
      await expect(pending).rejects.toThrow('fetch failed');
    });

    test('a model that never stops ends at max_tokens, and 200,000 tokens arrive whole', async () => {
      const server = await serving(wire, [endless('max_tokens')], [hugeText(200_000)]);
      const stopped = (await readAll(await post(server, { stream: true, max_tokens: 50 }))).text;
      expect(stopped).toMatch(
        wire === 'anthropic' ? '"stop_reason":"max_tokens"' : '"finish_reason":"length"',
      );
      const huge = (await readAll(await post(server, { stream: true }))).text;
      expect(huge.match(/word/g)).toHaveLength(160_000);
    });
  });
}
