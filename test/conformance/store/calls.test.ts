import { describe, expect } from 'vitest';
import {
  ask,
  begin,
  beginCall,
  callParts,
  endCall,
  factsOf,
  log,
  newSession,
  okResult,
  reply,
  say,
  terms,
  viewers,
  withCalls,
} from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

// Decisions on calls, their ends, and Sleep.
describe('calls', () => {
  behaviour(
    'a granted call has decision and intent in one event, before it runs',
    async ({ store, notices }) => {
      const { session, step } = await withCalls(store, ['c1', 'Bash']);
      expect(await beginCall(store, session, step, 'c1', { do: 'grant' })).toEqual({ kind: 'granted' });
      expect(notices.at(-1)?.events).toMatchObject([
        {
          type: 'call.began',
          body: {
            call: 'c1',
            step,
            tool: 'Bash',
            input: { command: 'ls' },
            class: 'blind',
            decision: { behavior: 'allow', by: 'test', rule: null },
            digest: 'd1',
          },
        },
      ]);
      expect(await store.effect('c1')).toMatchObject({
        state: 'started',
        attempt: 1,
        facts: factsOf('Bash'),
      });
    },
  );

  behaviour('a call is begun once and ended once', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash'], ['c2', 'Bash']);
    expect(await codeOf(endCall(store, session, 'c1'))).toBe('stale');
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    expect(await codeOf(beginCall(store, session, step, 'c1', { do: 'grant' }))).toBe('stale');
    await endCall(store, session, 'c1');
    expect(await codeOf(endCall(store, session, 'c1'))).toBe('stale');
    expect(await codeOf(beginCall(store, session, step, 'c1', { do: 'grant' }))).toBe('stale');
    expect(await store.effect('c1')).toMatchObject({ state: 'done', result: okResult });
  });

  behaviour('a call of another step, session or nobody is refused', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    const other = await newSession(store);
    expect(await codeOf(beginCall(store, session, 'stp_x', 'c1', { do: 'grant' }))).toBe('stale');
    expect(await codeOf(beginCall(store, session, step, 'nope', { do: 'grant' }))).toBe('not_found');
    expect(await codeOf(beginCall(store, other, step, 'c1', { do: 'grant' }))).toBe('stale');
    expect(await codeOf(endCall(store, other, 'c1'))).toBe('not_found');
  });

  behaviour('a denied call ends without having begun', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash'], ['c2', 'Bash']);
    const result = { outcome: 'denied', output: 'No.' } as const;
    const answer = await beginCall(store, session, step, 'c1', { do: 'end', result });
    expect(answer).toEqual({ kind: 'ended', result, next: null });
    expect(await store.effect('c1')).toMatchObject({ state: 'failed', result, digest: 'd1' });
    expect((await log(store, session)).slice(-2)).toEqual(['step.replied', 'call.ended']);
  });

  behaviour('a call that the daemon answers begins and ends in one commit', async ({ store, notices }) => {
    const { session, step } = await withCalls(store, ['c1', 'Ask']);
    const answer = await beginCall(store, session, step, 'c1', { do: 'end', result: okResult });
    expect(answer).toMatchObject({ kind: 'ended', result: okResult, next: { kind: 'request' } });
    expect(notices.at(-1)?.events.map(({ type }) => type)).toEqual([
      'call.began',
      'call.ended',
      'step.began',
    ]);
  });

  behaviour('a call that never began may end as an error of its input', async ({ store }) => {
    const { session } = await withCalls(store, ['c1', 'Nope']);
    const next = await endCall(store, session, 'c1', { outcome: 'error', output: 'no such tool' });
    expect(next?.kind).toBe('request');
  });

  behaviour(
    'calls past the limit of one reply end at once, unrun, and the reply stays whole',
    async (rig) => {
      const { store } = rig;
      const session = await newSession(store);
      await say(store, session);
      const limited = { ...terms, maxCalls: 2 };
      const step = await begin(store, session, limited);
      const parts = callParts(['c1', 'Bash'], ['c2', 'Bash'], ['c3', 'Bash'], ['c4', 'Bash']);
      const grant = await reply(store, session, step.id, parts, limited);
      const results = grant.kind === 'calls' ? grant.calls.map(({ id, result }) => [id, result]) : [];
      await beginCall(store, session, step.id, 'c1', { do: 'grant' });
      await endCall(store, session, 'c1');
      expect(await codeOf(beginCall(store, session, step.id, 'c3', { do: 'grant' }))).toBe('stale');
      const resumed = await rig.crash();
      expect(await resumed.nextStep(session, limited)).toMatchObject({ kind: 'calls', reply: { parts } });
      await beginCall(resumed, session, step.id, 'c2', { do: 'grant' });
      const next = await endCall(resumed, session, 'c2');
      expect([results, next?.kind, (await log(resumed, session)).slice(3)]).toEqual([
        [
          ['c1', null],
          ['c2', null],
          [
            'c3',
            {
              outcome: 'error',
              output:
                'Not run: this reply asked for 4 calls, and at most 2 of one reply are run (agent.callsPerReply). Calls 3 to 4 were not begun and changed nothing. Ask again for what is still needed, at most 2 calls at a time.',
            },
          ],
          ['c4', { outcome: 'error', output: 'Not run (call 4 of 4, 2 are allowed).' }],
        ],
        'request',
        [
          'step.replied',
          'call.ended',
          'call.ended',
          'call.began',
          'call.ended',
          'call.began',
          'call.ended',
          'step.began',
        ],
      ]);
    },
  );

  behaviour('results over 64 KB come back whole', async (rig) => {
    const { session, step } = await withCalls(rig.store, ['c1', 'Bash']);
    await beginCall(rig.store, session, step, 'c1', { do: 'grant' });
    const output = 'ü'.repeat(100_000);
    await endCall(rig.store, session, 'c1', { outcome: 'ok', output });
    const store = await rig.reopen();
    expect((await store.effect('c1'))?.result?.output).toBe(output);
    const ended = (await store.events(session, { limit: 5 })).find(({ type }) => type === 'call.ended');
    expect(ended?.type === 'call.ended' && ended.body.result.output === output).toBe(true);
  });

  behaviour('a parked session begins no call', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    await store.park(session, 'x', 'y');
    expect(await codeOf(beginCall(store, session, step, 'c1', { do: 'grant' }))).toBe('stale');
  });
});

describe('sleep', () => {
  behaviour('a sleeping call waits for its alarm, which ends it', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Sleep']);
    const until = clock.now() + 60_000;
    expect(await beginCall(store, session, step, 'c1', { do: 'sleep', until })).toEqual({
      kind: 'sleeping',
      until,
    });
    expect(await beginCall(store, session, step, 'c1', { do: 'sleep', until })).toEqual({
      kind: 'sleeping',
      until,
    });
    expect(await store.nextStep(session, terms)).toEqual({ kind: 'waiting', call: 'c1' });
    expect(await store.runnable()).toEqual([]);
    expect(await store.nextDue()).toBe(until);
    expect((await store.summaries())[0]).toMatchObject({ sleepingUntil: until, nextWakeAt: until });
    clock.set(until);
    expect(await store.runnable()).toEqual([session]);
    expect(await store.nextStep(session, terms)).toMatchObject({ kind: 'request', step: { n: 2 } });
    expect((await store.effect('c1'))?.result?.output).toBe('Slept 60 s of 60 s. Woken by: the alarm.');
    expect(await store.nextDue()).toBeNull();
    expect((await store.summaries())[0]).toMatchObject({ sleepingUntil: null, nextWakeAt: null });
  });

  behaviour('a message wakes it and joins the next step', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Sleep']);
    await beginCall(store, session, step, 'c1', { do: 'sleep', until: clock.now() + 60_000 });
    clock.advance(12_000);
    const wake = await say(store, session, 'wake up');
    expect(await store.runnable()).toEqual([session]);
    expect(await store.nextStep(session, terms)).toMatchObject({
      kind: 'request',
      step: { wakes: [wake.id] },
    });
    expect((await store.effect('c1'))?.result?.output).toBe('Slept 12 s of 60 s. Woken by: a message.');
    clock.advance(60_000);
    expect(await store.nextDue()).toBeNull();
  });

  behaviour('calls after it go on when it ends', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Sleep'], ['c2', 'Bash']);
    await beginCall(store, session, step, 'c1', { do: 'sleep', until: clock.now() + 1000 });
    clock.advance(1000);
    expect(await store.nextStep(session, terms)).toMatchObject({
      kind: 'calls',
      calls: [
        { id: 'c1', state: 'done' },
        { id: 'c2', state: 'planned' },
      ],
    });
  });

  behaviour('a jump of the clock back lets it sleep on, forward wakes it', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Sleep']);
    await beginCall(store, session, step, 'c1', { do: 'sleep', until: clock.now() + 1000 });
    clock.advance(-3_600_000);
    expect((await store.nextStep(session, terms)).kind).toBe('waiting');
    clock.advance(7_200_000);
    expect((await store.nextStep(session, terms)).kind).toBe('request');
  });

  behaviour('while paused a tick does not wake it, the owner does', async ({ store, clock }) => {
    const session = await newSession(store);
    await say(store, session, 'tick', { kind: 'tick' });
    const first = await store.nextStep(session, terms);
    if (first.kind !== 'request') throw new Error(first.kind);
    const parts = [{ type: 'call' as const, id: 'c1', tool: 'Sleep', input: {} }];
    const reply = { model: 'm', parts, stop: 'calls' as const };
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 1 };
    await store.recordReply({ session, step: first.step.id, reply, usage, terms });
    await beginCall(store, session, first.step.id, 'c1', { do: 'sleep', until: clock.now() + 1000 });
    await store.setPaused(session, true);
    await say(store, session, 'tick 2', { kind: 'tick' });
    clock.advance(1000);
    expect(await store.runnable()).toEqual([]);
    expect((await store.nextStep(session, terms)).kind).toBe('waiting');
    const direct = await say(store, session, 'hey');
    expect(await store.runnable()).toEqual([session]);
    expect(await store.nextStep(session, terms)).toMatchObject({
      kind: 'request',
      step: { wakes: [direct.id] },
    });
  });

  behaviour('an alarm of a call that was interrupted wakes nobody', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Sleep']);
    await beginCall(store, session, step, 'c1', { do: 'sleep', until: clock.now() + 1000 });
    await store.interrupt(session, 'stop');
    expect(await store.nextDue()).toBeNull();
    clock.advance(5000);
    expect(await store.runnable()).toEqual([]);
    expect(await store.nextStep(session, terms)).toEqual({ kind: 'idle' });
  });
});

describe('interrupting', () => {
  behaviour(
    'ends calls, prompts, step and turn in one commit and settles what was owed',
    async ({ store, notices }) => {
      const { session, step, wake } = await withCalls(store, ['c1', 'Bash'], ['c2', 'Bash'], ['c3', 'Bash']);
      await beginCall(store, session, step, 'c1', { do: 'grant' });
      const { prompt } = await ask(store, session, step, 'c2');
      expect(await store.interrupt(session, 'The person pressed stop.')).toBe(true);
      expect(notices.at(-1)?.events.map(({ type }) => type)).toEqual([
        'prompt.withdrawn',
        'call.ended',
        'call.ended',
        'call.ended',
        'message.sent',
        'message.settled',
        'turn.ended',
      ]);
      expect((await store.prompt(prompt))?.state).toBe('withdrawn');
      expect((await store.calls(step)).map((call) => call.result?.outcome)).toEqual(
        Array(3).fill('interrupted'),
      );
      expect(await store.message(wake.id)).toMatchObject({
        settledBy: 'interrupted',
        replies: [{ text: 'Stopped before an answer: The person pressed stop.', status: 'normal' }],
        wake: { state: 'settled' },
      });
      expect(await codeOf(endCall(store, session, 'c1'))).toBe('stale');
      expect(await store.session(session)).toMatchObject({ turn: null, step: null });
      expect((await store.summaries())[0]).toMatchObject({ openPrompts: 0, pending: 0 });
    },
  );

  behaviour('without a turn there is nothing to interrupt', async ({ store }) => {
    const id = await newSession(store);
    expect(await store.interrupt(id, 'x')).toBe(false);
    expect(await log(store, id)).toEqual([]);
  });

  behaviour('messages that wait run after it', async ({ store }) => {
    const { session } = await withCalls(store, ['c1', 'Bash']);
    const next = await say(store, session, 'then this', { route: viewers });
    await store.interrupt(session, 'stop');
    expect(await store.runnable()).toEqual([session]);
    expect(await store.nextStep(session, terms)).toMatchObject({
      kind: 'request',
      step: { wakes: [next.id], n: 1 },
    });
  });
});
