import { describe, expect } from 'vitest';
import { nudgeText, workNudgeText } from '../../../shared/domain/steps.ts';
import {
  begin,
  beginCall,
  callParts,
  chat,
  endCall,
  log,
  newSession,
  owner,
  reply,
  requested,
  say,
  send,
  stranger,
  terms,
  textPart,
  viewers,
  withCalls,
} from '../../store/support/acts.ts';
import { behaviour } from '../store-rig.ts';

const fromChat = { kind: 'channel', origin: stranger, route: chat } as const;

// How turns end: every message is settled exactly once, by a visible answer or a word why not.
describe('settling', () => {
  behaviour('a sent message settles at the end of the turn, once', async ({ store }) => {
    const { session, step, wake } = await withCalls(store, ['c1', 'SendUserMessage']);
    const answer = await beginCall(store, session, step, 'c1', send('hi'));
    if (answer.kind !== 'ended') throw new Error(answer.kind);
    expect((await store.message(wake.id))?.settledBy).toBeNull();
    const end = await reply(store, session, requested(answer.next).id, [textPart('private thought')]);
    expect(end.kind).toBe('turn_ended');
    expect(await store.message(wake.id)).toMatchObject({
      settledBy: 'reply',
      wake: { state: 'settled' },
      replies: [{ text: 'hi', status: 'normal' }],
    });
    const types = await log(store, session);
    expect(types.filter((type) => type === 'message.settled')).toHaveLength(1);
    expect(types.slice(-3)).toEqual(['step.replied', 'message.settled', 'turn.ended']);
    expect(await store.openEffects()).toEqual([]);
  });

  behaviour(
    'a message left unanswered on purpose settles as nothing to say, without a nudge',
    async ({ store }) => {
      const id = await newSession(store, { brief: true });
      const wake = await say(store, id, 'small talk', fromChat);
      const step = await begin(store, id);
      await reply(store, id, step.id, callParts(['c1', 'NoReply']));
      const result = { outcome: 'ok', output: 'Handled.' } as const;
      const answer = await beginCall(store, id, step.id, 'c1', { do: 'silence', wakes: [wake.id], result });
      if (answer.kind !== 'ended') throw new Error(answer.kind);
      expect((await reply(store, id, requested(answer.next).id, [])).kind).toBe('turn_ended');
      expect(await store.message(wake.id)).toMatchObject({ settledBy: 'nothing_to_say', replies: [] });
      expect((await log(store, id)).includes('message.sent')).toBe(false);
    },
  );

  behaviour(
    'an unanswered message is nudged once in the same commit, then the final text is delivered',
    async ({ store, notices }) => {
      const id = await newSession(store, { brief: true });
      const wake = await say(store, id);
      const step = await begin(store, id);
      const next = await reply(store, id, step.id, [textPart('The answer.')]);
      expect(notices.at(-1)?.events.map(({ type }) => type)).toEqual([
        'step.replied',
        'turn.nudged',
        'step.began',
      ]);
      expect(notices.at(-1)?.events[1]?.body).toMatchObject({ text: nudgeText });
      expect((await reply(store, id, requested(next).id, [textPart('The answer.')])).kind).toBe('turn_ended');
      const sent = (await store.events(id, { limit: 5 })).find(({ type }) => type === 'message.sent');
      expect(sent?.body).toMatchObject({
        text: 'The answer.',
        source: 'final_text',
        inReplyTo: 'm1',
        routes: [viewers],
      });
      expect(await store.message(wake.id)).toMatchObject({
        settledBy: 'reply',
        replies: [{ text: 'The answer.' }],
      });
    },
  );

  behaviour('without any text a failure notice tells the person', async ({ store }) => {
    const id = await newSession(store, { brief: true });
    const wake = await say(store, id, 'hi', fromChat);
    const next = await reply(store, id, (await begin(store, id)).id, []);
    await reply(store, id, requested(next).id, [textPart('  ')]);
    expect((await store.message(wake.id))?.settledBy).toBe('failure_notice');
    expect((await store.events(id, { limit: 1 }))[0]?.body).toMatchObject({ outcome: 'failed' });
    expect(await store.openEffects()).toMatchObject([
      { route: chat, text: 'The turn ended without an answer.' },
    ]);
  });

  behaviour('a tick owes nothing: its turn ends without a nudge', async ({ store }) => {
    const id = await newSession(store, { brief: true });
    await say(store, id, 'tick', { kind: 'tick' });
    expect((await reply(store, id, (await begin(store, id)).id, [textPart('nothing')])).kind).toBe(
      'turn_ended',
    );
    expect(await log(store, id)).toEqual([
      'message.received',
      'turn.began',
      'step.began',
      'step.replied',
      'turn.ended',
    ]);
  });

  behaviour('a nudge that may not run yet is made once', async ({ store }) => {
    const id = await newSession(store, { brief: true });
    await say(store, id, 'hi', fromChat);
    const step = await begin(store, id);
    await store.setPaused(id, true);
    expect(await reply(store, id, step.id, [textPart('x')])).toMatchObject({
      kind: 'refused',
      why: 'paused',
    });
    expect(await store.runnable()).toEqual([]);
    await store.setPaused(id, false);
    await reply(store, id, (await begin(store, id)).id, [textPart('x')]);
    expect((await log(store, id)).filter((type) => type === 'turn.nudged')).toHaveLength(1);
  });

  behaviour(
    'final text goes once to each chat that waits, with a delivery where something is sent',
    async ({ store }) => {
      const id = await newSession(store, { brief: true });
      await say(store, id, '1', fromChat);
      await say(store, id, '2', fromChat);
      await say(store, id, '3');
      const next = await reply(store, id, (await begin(store, id)).id, [textPart('x')]);
      await reply(store, id, requested(next).id, [textPart('Done.')]);
      const sent = (await store.events(id, { limit: 20 })).find(({ type }) => type === 'message.sent');
      expect(sent?.body).toMatchObject({ inReplyTo: null, routes: [chat, viewers] });
      expect(await store.openEffects()).toMatchObject([
        { route: chat, text: 'Done.', state: 'planned', class: 'blind' },
      ]);
      expect((await log(store, id)).filter((type) => type === 'message.settled')).toHaveLength(3);
    },
  );

  behaviour('an answer to one chat leaves the other owed', async ({ store }) => {
    const id = await newSession(store, { brief: true });
    const other = await say(store, id, '1', fromChat);
    const mine = await say(store, id, '2');
    const step = await begin(store, id);
    await reply(store, id, step.id, callParts(['c1', 'SendUserMessage']));
    const answer = await beginCall(store, id, step.id, 'c1', send('for you', { inReplyTo: 'm2' }));
    if (answer.kind !== 'ended') throw new Error(answer.kind);
    const nudge = await reply(store, id, requested(answer.next).id, [textPart('rest')]);
    await reply(store, id, requested(nudge).id, [textPart('rest')]);
    expect((await store.message(mine.id))?.settledBy).toBe('reply');
    expect(await store.openEffects()).toMatchObject([{ route: chat, text: 'rest' }]);
    expect((await store.message(other.id))?.settledBy).toBe('reply');
  });

  behaviour('an answer given before a message came is not its answer', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'SendUserMessage']);
    const second = await say(store, session, 'and this?');
    const answer = await beginCall(store, session, step, 'c1', send('first answer'));
    if (answer.kind !== 'ended') throw new Error(answer.kind);
    const next = requested(answer.next);
    expect(next.wakes).toEqual([second.id]);
    const nudge = await reply(store, session, next.id, [textPart('second answer')]);
    await reply(store, session, requested(nudge).id, [textPart('second answer')]);
    expect((await store.message(second.id))?.replies.map(({ text }) => text)).toEqual([
      'first answer',
      'second answer',
    ]);
    expect((await log(store, session)).filter((type) => type === 'message.settled')).toHaveLength(2);
  });

  behaviour('a proactive word does not count as the answer', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'SendUserMessage']);
    const answer = await beginCall(store, session, step, 'c1', send('by the way', { status: 'proactive' }));
    if (answer.kind !== 'ended') throw new Error(answer.kind);
    await reply(store, session, requested(answer.next).id, [textPart('x')]);
    expect((await log(store, session)).at(-2)).toBe('turn.nudged');
  });

  behaviour(
    'what came of work after an acknowledgement is nudged for once, then delivered',
    async ({ store, notices }) => {
      const { session, step, wake } = await withCalls(store, ['c1', 'SendUserMessage'], ['c2', 'Bash']);
      await beginCall(store, session, step, 'c1', send("I'll look."));
      await beginCall(store, session, step, 'c2', { do: 'grant' });
      const next = await endCall(store, session, 'c2', { outcome: 'ok', output: '3 failed' });
      if (next === null) throw new Error('It was the last call.');
      const nudge = await reply(store, session, requested(next).id, [textPart('Three tests fail.')]);
      expect(notices.at(-1)?.events.map(({ type, body }) => [type, 'text' in body && body.text])).toEqual([
        ['step.replied', false],
        ['turn.nudged', workNudgeText],
        ['step.began', false],
      ]);
      expect((await reply(store, session, requested(nudge).id, [textPart('Three tests fail.')])).kind).toBe(
        'turn_ended',
      );
      expect((await store.message(wake.id))?.replies.map(({ text }) => text)).toEqual([
        "I'll look.",
        'Three tests fail.',
      ]);
    },
  );

  behaviour(
    'a message after the work needs no nudge, and one that says it all no second copy',
    async (rig) => {
      const { session, step } = await withCalls(rig.store, ['c1', 'SendUserMessage'], ['c2', 'Bash']);
      await beginCall(rig.store, session, step, 'c1', send('Starting.'));
      await beginCall(rig.store, session, step, 'c2', { do: 'grant' });
      // The call's outcome is unknown after a crash: that is news too.
      const store = await rig.crash();
      await store.recoverAll();
      const sending = await begin(store, session);
      await reply(store, session, sending.id, callParts(['c3', 'SendUserMessage'], ['c4', 'TodoWrite']));
      await beginCall(store, session, sending.id, 'c3', send('Done.'));
      const result = { outcome: 'ok', output: 'Kept.' } as const;
      const answer = await beginCall(store, session, sending.id, 'c4', { do: 'todos', todos: [], result });
      if (answer.kind !== 'ended') throw new Error(answer.kind);
      const end = await reply(store, session, requested(answer.next).id, [textPart('Done.')]);
      expect([
        end.kind,
        (await log(store, session)).filter((type) => type === 'message.sent').length,
      ]).toEqual(['turn_ended', 2]);
    },
  );

  behaviour('outside of brief mode the final text follows a file that was sent', async ({ store }) => {
    const id = await newSession(store);
    const wake = await say(store, id);
    const step = await begin(store, id);
    await reply(store, id, step.id, callParts(['c1', 'send_user_file'], ['c2', 'send_user_file']));
    await beginCall(store, id, step.id, 'c1', send('The list'));
    const answer = await beginCall(store, id, step.id, 'c2', send('The answer.'));
    if (answer.kind !== 'ended') throw new Error(answer.kind);
    const next = requested(answer.next);
    await reply(store, id, next.id, callParts(['c3', 'Bash']));
    await beginCall(store, id, next.id, 'c3', { do: 'grant' });
    const last = await endCall(store, id, 'c3', { outcome: 'ok', output: '' });
    if (last === null) throw new Error('It was the last call.');
    expect((await reply(store, id, requested(last).id, [textPart('It is sorted.')])).kind).toBe('turn_ended');
    expect((await store.message(wake.id))?.replies.map(({ text }) => text)).toEqual([
      'The list',
      'The answer.',
      'It is sorted.',
    ]);
  });

  behaviour(
    'the same text to the same chat in one turn is one message and one delivery',
    async ({ store }) => {
      const { session, step } = await withCalls(
        store,
        ['c1', 'SendUserMessage'],
        ['c2', 'SendUserMessage'],
        ['c3', 'SendUserMessage'],
      );
      await beginCall(store, session, step, 'c1', send('same', { routes: [chat] }));
      const again = await beginCall(store, session, step, 'c2', send('same', { routes: [chat] }));
      expect(again).toMatchObject({ kind: 'ended', result: { outcome: 'ok' } });
      await beginCall(store, session, step, 'c3', send('same', { routes: [chat, viewers, viewers] }));
      expect(await store.openEffects()).toHaveLength(1);
      expect((await log(store, session)).filter((type) => type === 'message.sent')).toHaveLength(2);
    },
  );

  behaviour('the final text repeats nothing that was said to the chat before', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'SendUserMessage']);
    const answer = await beginCall(store, session, step, 'c1', send('same', { status: 'proactive' }));
    if (answer.kind !== 'ended') throw new Error(answer.kind);
    const nudge = await reply(store, session, requested(answer.next).id, [textPart('same')]);
    await reply(store, session, requested(nudge).id, [textPart('same')]);
    const types = await log(store, session);
    expect(types.filter((type) => type === 'message.sent')).toHaveLength(1);
    expect(types.slice(-2)).toEqual(['message.settled', 'turn.ended']);
  });

  behaviour(
    'one message in a long turn and two queued: all answered, in order, across a crash',
    async (rig) => {
      const id = await newSession(rig.store, { brief: true });
      const wakes = [await say(rig.store, id, '1')];
      const step = await begin(rig.store, id);
      wakes.push(await say(rig.store, id, '2', { mode: 'after_turn' }));
      wakes.push(await say(rig.store, id, '3', { mode: 'after_turn' }));
      const store = await rig.crash();
      await store.recoverAll();
      let open: string | null = step.id;
      for (const text of ['a1', 'a2', 'a3']) {
        open ??= (await begin(store, id)).id;
        const nudge = await reply(store, id, open, [textPart(text)]);
        expect((await reply(store, id, requested(nudge).id, [textPart(text)])).kind).toBe('turn_ended');
        open = null;
      }
      const statuses = await Promise.all(wakes.map((wake) => store.message(wake.id)));
      expect(statuses.map((status) => [status?.settledBy, status?.replies])).toEqual(
        ['a1', 'a2', 'a3'].map((text) => ['reply', [{ text, status: 'normal' }]]),
      );
      expect(await store.nextStep(id, terms)).toEqual({ kind: 'idle' });
    },
  );

  behaviour('a message that arrives as the turn ends is answered by the next turn', async ({ store }) => {
    const id = await newSession(store, { brief: true });
    await say(store, id, 'tick', { kind: 'tick' });
    const step = await begin(store, id);
    const [end, late] = await Promise.all([
      reply(store, id, step.id, [textPart('x')]),
      say(store, id, 'late'),
    ]);
    expect(end.kind).toBe('turn_ended');
    expect(await store.runnable()).toEqual([id]);
    expect((await begin(store, id)).wakes).toEqual([late.id]);
  });

  behaviour('the route is the one fixed at admission, whoever wrote last', async ({ store }) => {
    const id = await newSession(store, { brief: true });
    const alice = { surface: 'telegram', chat: 'a', reply_to: '9' };
    await say(store, id, '1', { ...fromChat, route: alice, mode: 'after_turn' });
    const step = await begin(store, id);
    await say(store, id, '2', {
      ...fromChat,
      route: { surface: 'telegram', chat: 'b' },
      mode: 'after_turn',
      origin: owner,
    });
    const nudge = await reply(store, id, step.id, [textPart('x')]);
    await reply(store, id, requested(nudge).id, [textPart('x')]);
    expect((await store.openEffects()).map(({ route }) => route)).toEqual([alice]);
  });

  behaviour('a failed call does not end the turn', async ({ store }) => {
    const { session } = await withCalls(store, ['c1', 'Bash']);
    const next = await endCall(store, session, 'c1', { outcome: 'error', output: 'boom' });
    expect(next).toMatchObject({ kind: 'request', step: { n: 2 } });
  });
});
