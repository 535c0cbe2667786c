import { describe, expect } from 'vitest';
import { noUsage } from '../../../shared/domain/messages.ts';
import {
  begin,
  beginCall,
  callParts,
  chat,
  log,
  newSession,
  reply,
  say,
  send,
  stranger,
  terms,
  textPart,
  viewers,
} from '../../store/support/acts.ts';
import { behaviour } from '../store-rig.ts';

const fromChat = { kind: 'channel', origin: stranger, route: chat } as const;

// What people read: final text or messages of its own, files with messages, and the model's list.
describe('what people read', () => {
  behaviour('outside of brief mode the final text answers at once, without a nudge', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, '1', fromChat);
    await reply(store, id, (await begin(store, id)).id, [textPart('Done.')]);
    const events = await store.events(id, { limit: 3 });
    expect(events.toReversed().map(({ type, body }) => [type, body])).toMatchObject([
      ['delivery.planned', { route: chat }],
      ['message.settled', { ref: 'm1', by: 'reply' }],
      ['turn.ended', { outcome: 'done' }],
    ]);
    expect((await store.openEffects()).map(({ text }) => text)).toEqual(['Done.']);
  });

  behaviour('a turn that nobody asked for tells its final text to the viewers', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, 'tick', { kind: 'tick' });
    await reply(store, id, (await begin(store, id)).id, [textPart('Built.')]);
    expect((await store.events(id, { limit: 2 })).map(({ type, body }) => [type, body])).toMatchObject([
      ['turn.ended', { outcome: 'done' }],
      ['message.sent', { text: 'Built.', source: 'final_text', routes: [viewers] }],
    ]);
  });

  behaviour('brief mode that is switched counts from the step that is under way', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, '1');
    const step = await begin(store, id);
    await store.pinFrame(id, 'a frame');
    const row = await store.setBrief(id, true);
    await store.setBrief(id, true);
    await reply(store, id, step.id, [textPart('Done.')]);
    expect([row.brief, row.frame, (await log(store, id)).slice(-4)]).toEqual([
      true,
      null,
      ['session.brief_set', 'step.replied', 'turn.nudged', 'step.began'],
    ]);
  });

  behaviour("what the daemon's terms say of brief mode goes before the session's row", async ({ store }) => {
    const id = await newSession(store, { brief: true });
    await say(store, id, '1');
    const step = await begin(store, id);
    const parts = [textPart('Done.')];
    const said = { model: 'm', parts, stop: 'end' } as const;
    await store.recordReply({
      session: id,
      step: step.id,
      reply: { ...said, parts },
      usage: noUsage,
      terms: { ...terms, brief: false },
    });
    expect((await log(store, id)).at(-1)).toBe('turn.ended');
  });

  behaviour('files are told with their message and kept for as long as it is', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, '1');
    const step = await begin(store, id);
    const hash = await store.putBlob(Buffer.from('a picture'));
    const file = { hash, name: 'a.png', mediaType: 'image/png', bytes: 9 };
    const lost = { path: 'b.png', reason: 'does not exist' };
    await reply(store, id, step.id, callParts(['c1', 'SendUserMessage']));
    await beginCall(store, id, step.id, 'c1', send('', { attachments: [file], lost: [lost] }));
    const sent = (await store.events(id, { limit: 20 })).find(({ type }) => type === 'message.sent');
    expect([sent?.body, await store.collectBlobs(-1_000_000), await store.blob(hash)]).toMatchObject([
      { text: '', attachments: [file], lost: [lost] },
      expect.any(Number),
      expect.anything(),
    ]);
  });

  behaviour('another file under the same words is another message', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, '1');
    const step = await begin(store, id);
    await reply(
      store,
      id,
      step.id,
      callParts(...['c1', 'c2', 'c3'].map((c) => [c, 'send_user_file'] as const)),
    );
    for (const [call, hash] of [
      ['c1', 'a'.repeat(64)],
      ['c2', 'b'.repeat(64)],
      ['c3', 'a'.repeat(64)],
    ] as const)
      await beginCall(
        store,
        id,
        step.id,
        call,
        send('', { attachments: [{ hash, name: 'x', mediaType: 'text/plain', bytes: 1 }] }),
      );
    expect((await log(store, id)).filter((type) => type === 'message.sent')).toHaveLength(2);
  });

  behaviour("the model's own list is stored with the call that wrote it", async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, '1');
    const step = await begin(store, id);
    await reply(store, id, step.id, callParts(['c1', 'TodoWrite']));
    const todos = [{ text: 'build', state: 'in_progress' }] as const;
    const result = { outcome: 'ok', output: 'Kept.' } as const;
    await beginCall(store, id, step.id, 'c1', { do: 'todos', todos, result });
    expect([(await store.session(id))?.todos, (await log(store, id)).slice(-4)]).toEqual([
      todos,
      ['call.began', 'todos.set', 'call.ended', 'step.began'],
    ]);
  });
});
