import { describe, expect, test } from 'vitest';
import { answerPrompt, type Cut, type MakeRunner, RunnerWorld } from './runner-world.ts';

const afterOneCommand = [
  'session.created',
  'message.received',
  'turn.began',
  'step.began',
  'step.replied',
  'call.began',
  'call.ended',
  'step.began',
  'step.replied',
  'call.began',
  'message.sent',
  'message.settled',
  'call.ended',
  'step.began',
  'step.replied',
  'turn.ended',
];

/** Points at which a worker dies, and how often the command has been executed when all is over. */
const cuts: readonly (Cut & { readonly executed: number })[] = [
  { verb: 'nextStep', side: 'before', executed: 1 },
  { verb: 'nextStep', side: 'after', executed: 1 },
  { verb: 'recordReply', side: 'before', executed: 1 },
  { verb: 'recordReply', side: 'after', executed: 1 },
  { verb: 'beginCall', side: 'before', executed: 1 },
  // Begun and never heard of again: it may have happened, so it is not done again.
  { verb: 'beginCall', side: 'after', executed: 0 },
  { verb: 'endCall', side: 'before', executed: 1 },
  { verb: 'endCall', side: 'after', executed: 1 },
  { verb: 'recordReply', side: 'before', nth: 1, executed: 1 },
  { verb: 'recordReply', side: 'after', nth: 1, executed: 1 },
  { verb: 'beginCall', side: 'before', nth: 1, executed: 1 },
  { verb: 'beginCall', side: 'after', nth: 1, executed: 1 },
  { verb: 'recordReply', side: 'after', nth: 2, executed: 1 },
];

type Open = (mode?: 'default' | 'bypassPermissions') => Promise<RunnerWorld>;

const cases: Readonly<Record<string, (open: Open) => Promise<void>>> = {
  'carries a message from its wake to its answer, intent before effect, and is idle then': async (open) => {
    const world = await open();
    await world.say('run echo hi');
    const end = await world.run();
    expect({ end, executed: world.executed, settled: await world.settled() }).toEqual({
      end: { why: 'idle' },
      executed: ['echo hi'],
      settled: ['reply'],
    });
    const types = (await world.types()).filter((type) => type !== 'prompt.opened');
    expect([...types].sort()).toEqual([...afterOneCommand].sort());
    expect(types.slice(0, 7)).toEqual(afterOneCommand.slice(0, 7));
  },

  'with nothing to do it begins no step': async (open) => {
    const world = await open();
    expect([await world.run(), await world.types()]).toEqual([{ why: 'idle' }, ['session.created']]);
  },

  'waits for a person without executing anything, and goes on after the verdict with a runner that knows nothing':
    async (open) => {
      const world = await open('default');
      await world.say('run touch x');
      const first = await world.run();
      const before = [...world.executed];
      await answerPrompt(world, 'allow');
      const second = await world.run();
      expect([first, before, second, world.executed, await world.settled()]).toEqual([
        { why: 'waiting' },
        [],
        { why: 'idle' },
        ['touch x'],
        ['reply'],
      ]);
    },

  'a denied call is never executed, and the person is told': async (open) => {
    const world = await open('default');
    await world.say('run touch x');
    await world.run();
    await answerPrompt(world, 'deny');
    expect([await world.run(), world.executed, await world.settled()]).toEqual([
      { why: 'idle' },
      [],
      ['reply'],
    ]);
  },

  'a call with bad input is stored with its complaint and never executed': async (open) => {
    const world = await open();
    await world.say('run bad');
    await world.run();
    const [ended] = await world.events('call.ended');
    expect([world.executed, ended?.body, await world.settled()]).toEqual([
      [],
      expect.objectContaining({ result: { outcome: 'error', output: 'Bash: that is no command.' } }),
      ['reply'],
    ]);
  },

  'a message that arrives while a call runs joins the turn at its next step; both are answered': async (
    open,
  ) => {
    const world = await open();
    world.result = async (command) => {
      if (command === 'first') await world.say('run second');
      return { outcome: 'ok', output: command };
    };
    await world.say('run first');
    const end = await world.run();
    expect([end, world.executed, await world.settled(), (await world.events('turn.began')).length]).toEqual([
      { why: 'idle' },
      ['first', 'second'],
      ['reply', 'reply'],
      1,
    ]);
  },

  'asked to stop while a call runs, it stores the result and leaves the rest to its successor': async (
    open,
  ) => {
    const world = await open();
    const stop = new AbortController();
    world.result = (command) => {
      stop.abort();
      return { outcome: 'ok', output: command };
    };
    await world.say('run only-once');
    const first = await world.run({ stop: stop.signal });
    const ended = (await world.events('call.ended')).length;
    const second = await world.run();
    expect([first, ended, second, world.executed, await world.settled()]).toEqual([
      { why: 'asked' },
      1,
      { why: 'idle' },
      ['only-once'],
      ['reply'],
    ]);
  },

  'an interrupted turn is over: its late result changes nothing, and the next message starts anew': async (
    open,
  ) => {
    const world = await open();
    const interrupt = new AbortController();
    world.result = async (command) => {
      if (command !== 'long') return { outcome: 'ok', output: command };
      await world.store.interrupt(world.session, 'by the person');
      interrupt.abort();
      return { outcome: 'interrupted', output: 'cut' };
    };
    await world.say('run long');
    const first = await world.run({ interrupt: interrupt.signal });
    await world.say('run next');
    const second = await world.run();
    const outcomes = (await world.events('turn.ended')).map(
      (event) => (event.body as { outcome: string }).outcome,
    );
    expect([first, second, world.executed, outcomes, (await world.settled())[1]]).toEqual([
      { why: 'asked' },
      { why: 'idle' },
      ['long', 'next'],
      ['interrupted', 'done'],
      'reply',
    ]);
  },

  'a paused session is refused with the reason and touches nothing': async (open) => {
    const world = await open();
    await world.store.setPaused(world.session, true);
    expect(await world.run()).toMatchObject({ why: expect.stringMatching(/refused|idle/) });
    expect(world.executed).toEqual([]);
  },
};

async function survives(open: Open, { executed, ...cut }: (typeof cuts)[number]): Promise<void> {
  const world = await open();
  await world.say('run deploy');
  expect(await world.run({ cut })).toBe('died');
  const end = await world.run();
  const replies = await world.events('step.replied');
  const sent = await world.events('message.sent');
  expect({
    end,
    executed: world.executed.length,
    settled: await world.settled(),
    repliesPerStep:
      new Set(replies.map((event) => (event.body as { step: string }).step)).size === replies.length,
    sent: sent.length,
  }).toEqual({ end: { why: 'idle' }, executed, settled: ['reply'], repliesPerStep: true, sent: 1 });
}

/** What every runner has to do, over the store in memory and the daemon's verbs. It must carry out `run <command>` lines. */
export function runnerConformance(name: string, make: MakeRunner): void {
  const open: Open = (mode) => new RunnerWorld(make).open(mode);
  describe(`runner: ${name}`, () => {
    test.each(Object.entries(cases))('%s', (_title, run) => run(open));
    test.each(cuts)('survives its death $side the answer to $verb ($nth)', (cut) => survives(open, cut));
  });
}
