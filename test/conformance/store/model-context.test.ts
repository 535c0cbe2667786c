import { describe, expect } from 'vitest';
import {
  begin,
  beginCall,
  callParts,
  chat,
  endCall,
  log,
  newSession,
  reply,
  say,
  send,
  terms,
  viewers,
  withCalls,
} from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

// Compaction, the running note, notes for the model, and turns that end as failed.
describe('what the model reads', () => {
  behaviour('a compaction is an event and a row, unpins the frame, and outlives a crash', async (rig) => {
    const session = await newSession(rig.store);
    await rig.store.pinFrame(session, 'frame');
    await say(rig.store, session);
    await begin(rig.store, session);
    const before = await log(rig.store, session);
    const seq = await rig.store.compact(session, { from: 3, text: 'What was.', by: 'digest' });
    const store = await rig.crash();
    const row = await store.session(session);
    expect([seq, row?.compaction, row?.frame, await log(store, session)]).toEqual([
      before.length + 2,
      { seq, from: 3, text: 'What was.' },
      null,
      [...before, 'context.compacted'],
    ]);
  });

  behaviour('a compaction never goes back, nor beyond the end of the log', async ({ store }) => {
    const session = await newSession(store);
    await say(store, session);
    const end = (await store.session(session))?.seq ?? 0;
    await store.compact(session, { from: end, text: 'a', by: 'model' });
    const from = (n: number) => codeOf(store.compact(session, { from: n, text: 'b', by: 'model' }));
    expect([
      await from(end - 1),
      await from(end + 3),
      (await store.session(session))?.compaction?.text,
    ]).toEqual(['bad_input', 'bad_input', 'a']);
  });

  behaviour('a long compaction is stored whole', async (rig) => {
    const session = await newSession(rig.store);
    const text = 'long words '.repeat(20_000);
    await rig.store.compact(session, { from: 1, text, by: 'model' });
    const store = await rig.crash();
    const [event] = await store.events(session, { limit: 1 });
    expect([
      (await store.session(session))?.compaction?.text === text,
      event?.type === 'context.compacted' && event.body.text === text,
    ]).toEqual([true, true]);
  });

  behaviour('the running note only moves forward', async ({ store }) => {
    const session = await newSession(store);
    await say(store, session);
    await store.memo(session, { upTo: 2, text: 'two' });
    const codes = [
      await codeOf(store.memo(session, { upTo: 1, text: 'one' })),
      await codeOf(store.memo(session, { upTo: 99, text: 'x' })),
    ];
    expect([codes, (await store.session(session))?.memo]).toEqual([
      ['stale', 'bad_input'],
      { upTo: 2, text: 'two' },
    ]);
  });

  behaviour('a note belongs to the open turn', async ({ store }) => {
    const session = await newSession(store);
    const note = (turn: string) => store.noteContext(session, { turn, text: 'changed', digest: 'd' });
    expect(await codeOf(note('trn_1'))).toBe('stale');
    await say(store, session);
    const { turn } = await begin(store, session);
    await note(turn);
    expect([await codeOf(note('trn_other')), (await log(store, session)).at(-1)]).toEqual([
      'stale',
      'context.noted',
    ]);
  });
});

describe('a turn that ends as failed', () => {
  behaviour(
    'ends its open calls, tells everybody who waits once, and the session goes on',
    async ({ store }) => {
      const session = await newSession(store);
      const wakes = [await say(store, session), await say(store, session, 'from a chat', { route: chat })];
      const step = await begin(store, session);
      await reply(store, session, step.id, callParts(['c1', 'Bash'], ['c2', 'Bash']));
      await beginCall(store, session, step.id, 'c1', { do: 'grant' });
      await endCall(store, session, 'c1');
      const next = await store.failTurn(session, step.turn, 'Stopped: too often.');
      const results = (await store.calls(step.id)).map((call) => call.result?.outcome);
      const said = (await store.events(session, { limit: 50 })).flatMap((event) =>
        event.type === 'message.sent' ? [event.body] : [],
      );
      const settled = await Promise.all(wakes.map(async ({ id }) => (await store.message(id))?.settledBy));
      await say(store, session, 'go on');
      expect({
        next,
        results,
        said: said.map(({ text, source, routes }) => ({ text, source, routes })),
        settled,
        goesOn: (await store.nextStep(session, terms)).kind,
      }).toEqual({
        next: { kind: 'turn_ended', turn: step.turn },
        results: ['ok', 'interrupted'],
        said: [{ text: 'Stopped: too often.', source: 'notice', routes: [viewers, chat] }],
        settled: ['failure_notice', 'failure_notice'],
        goesOn: 'request',
      });
    },
  );

  behaviour('tells also those that were answered before', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'SendUserMessage'], ['c2', 'Bash']);
    await beginCall(store, session, step, 'c1', send('On it.'));
    const turn = (await store.session(session))?.turn?.id ?? '';
    await store.failTurn(session, turn, 'Stopped.');
    const said = (await store.events(session, { limit: 50 })).flatMap((event) =>
      event.type === 'message.sent' ? [event.body.text] : [],
    );
    expect([said.toReversed(), await codeOf(store.failTurn(session, turn, 'again'))]).toEqual([
      ['On it.', 'Stopped.'],
      'stale',
    ]);
  });

  behaviour('is the end of one that never stops: no more steps than the terms allow', async ({ store }) => {
    const limited = { ...terms, maxSteps: 3 };
    const session = await newSession(store);
    const wake = await say(store, session);
    let next = await store.nextStep(session, limited);
    let steps = 0;
    while (next.kind === 'request') {
      steps += 1;
      const call = `c${steps}`;
      await reply(store, session, next.step.id, callParts([call, 'Bash']), limited);
      await beginCall(store, session, next.step.id, call, { do: 'grant' }, { terms: limited });
      const after = await store.endCall({
        session,
        call,
        result: { outcome: 'ok', output: '' },
        terms: limited,
      });
      if (after === null) throw new Error('The step had one call.');
      next = after;
    }
    const [text] = (await store.message(wake.id))?.replies ?? [];
    expect([steps, next.kind, text?.text, (await store.message(wake.id))?.settledBy]).toEqual([
      3,
      'turn_ended',
      'Stopped after 3 steps in one turn, the most that the settings allow (agent.stepsPerTurn). Write "go on" to let it continue.',
      'failure_notice',
    ]);
  });
});
