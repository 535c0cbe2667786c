import { describe, expect, test } from 'vitest';
import type { Reply } from '../../shared/domain/messages.ts';
import { createAgentLoop } from '../../electron/worker/agent/agent-loop.ts';
import type { ModelRequest } from '../../electron/worker/agent/ports.ts';
import { textTokens } from '../../electron/worker/agent/tokens.ts';
import { fixedFrames, sampleFrame } from '../support/sample-frame.ts';
import { type WindowLog, type WindowMind, windowModel } from '../worker/support/window-model.ts';
import { type Cut, RunnerWorld } from './runner-world.ts';

const window = 8_000;
const callsPerTurn = 12;
/** Members in an order that no canonical JSON has. */
const named = [
  {
    name: 'Bash',
    description: 'runs',
    schema: { type: 'object', properties: { command: {} }, additionalProperties: false },
  },
];
/** About 500 tokens. */
const output = (command: string): string => `${command}: ${'some words of output '.repeat(85)}`;

/** Works off a turn call by call, then answers in words; depends on the request alone. */
function worker({ messages, step }: ModelRequest): Reply {
  const turn = messages.findLast((message) => message.turn !== '')?.turn;
  const person = messages.findLast(
    (message) => message.role === 'user' && message.ref !== undefined && message.turn === turn,
  );
  const done = Number(/done (\d+)/.exec(JSON.stringify(messages.at(-1)))?.[1] ?? 0);
  const isNew = messages.at(-1)?.role === 'user' && person !== undefined;
  const next = isNew && messages.at(-1) === person ? 1 : done + 1;
  if (next > callsPerTurn || (done === 0 && !isNew))
    return {
      model: 'w',
      parts: [{ type: 'text', text: `All ${callsPerTurn} calls are made.` }],
      stop: 'end',
    };
  const call = { type: 'call', id: `${step}-1`, tool: 'Bash', input: { command: `done ${next}` } } as const;
  return { model: 'w', parts: [call], stop: 'calls' };
}

interface Session {
  readonly world: RunnerWorld;
  readonly logs: WindowLog[];
  /** Each worker's life begins with nothing but what is stored. */
  run(cut?: Cut): Promise<unknown>;
}

async function session(mind: Partial<WindowMind> = {}, system = 'frame'): Promise<Session> {
  const logs: WindowLog[] = [];
  const world = await new RunnerWorld((tools) => {
    const { model, log } = windowModel({ contextTokens: window, reply: worker, ...mind });
    logs.push(log);
    return createAgentLoop({ model, tools, frames: fixedFrames({ ...sampleFrame(system), tools: named }) });
  }).open();
  world.result = (command) => ({ outcome: 'ok', output: output(command) });
  return { world, logs, run: (cut) => world.run(cut === undefined ? {} : { cut }) };
}

async function compactions({ world }: Session) {
  return (await world.events('context.compacted')).flatMap((event) =>
    event.type === 'context.compacted' ? [event.body] : [],
  );
}

describe('a session of five windows', () => {
  const cases: readonly (readonly [string, Partial<WindowMind>, 'model' | 'digest'])[] = [
    ['summed up by its model', {}, 'model'],
    ['without a model that writes', { write: null }, 'digest'],
    [
      'with a model whose summaries fail',
      {
        write: () => {
          throw new Error('overloaded');
        },
      },
      'digest',
    ],
    ['with a model that writes nothing', { write: () => '  ' }, 'digest'],
    ['with a model that writes without end', { write: () => 'on and on '.repeat(50_000) }, 'model'],
  ];
  test.each(cases)(
    '%s goes on, answers every message and keeps every result with its call',
    async (_, mind, by) => {
      const long = await session(mind);
      const turns = Math.ceil((5 * window) / (callsPerTurn * textTokens(output('done 1'))));
      for (let n = 1; n <= turns; n += 1) {
        await long.world.say(`Task ${n}: please work it off.`);
        expect(await long.run()).toEqual({ why: 'idle' });
      }
      const made = await compactions(long);
      expect({
        settled: await long.world.settled(),
        executed: long.world.executed.length,
        refused: long.logs.flatMap((log) => log.refused),
        several: made.length >= 5,
        by: [...new Set(made.map((each) => each.by))],
      }).toEqual({
        settled: Array.from({ length: turns }, () => 'reply'),
        executed: turns * callsPerTurn,
        refused: [],
        several: true,
        by: [by],
      });
    },
  );

  test('what the person wrote in the running turn stays word for word, through several compactions', async () => {
    const long = await session();
    await long.world.say('First line.\n\n## Not a heading of ours\n> nor a quote');
    await long.run();
    const made = await compactions(long);
    const quoted = 'm1:\n> First line.\n> \n> ## Not a heading of ours\n> > nor a quote';
    expect([made.length > 0, made.every(({ text }) => text.endsWith(quoted))]).toEqual([true, true]);
  });

  test('the log is never cut, and the frame is pinned anew', async () => {
    const long = await session();
    for (const n of [1, 2]) {
      await long.world.say(`Task ${n}`);
      await long.run();
    }
    const seqs = (await long.world.events()).map((event) => event.seq);
    const row = await long.world.store.session(long.world.session);
    expect([seqs, row?.frame !== null]).toEqual([seqs.map((_, index) => index + 1), true]);
  });
});

describe('the same bytes', () => {
  /** What each request of the script contained, when the worker lives on and when each one has only what is stored. */
  async function requests(isLive: boolean): Promise<string[]> {
    const long = await session();
    const stop = new AbortController();
    if (!isLive) {
      long.world.result = (command) => {
        // Let go after every call: the next worker begins from the store.
        controllers.at(-1)?.abort();
        return { outcome: 'ok', output: output(command) };
      };
    }
    const controllers: AbortController[] = [stop];
    for (const n of [1, 2, 3]) {
      await long.world.say(`Task ${n}`);
      for (let end: unknown = null; JSON.stringify(end) !== JSON.stringify({ why: 'idle' }); ) {
        const own = new AbortController();
        controllers.push(own);
        end = await long.world.run({ stop: own.signal });
      }
    }
    return long.logs.flatMap((log) => log.requests);
  }

  test('reach the model from a worker that lives on and from workers that begin anew after each call', async () => {
    const [live, anew] = [await requests(true), await requests(false)];
    expect([live.length > 30, anew]).toEqual([true, live]);
  });

  const cuts: readonly Cut[] = (
    ['compact', 'pinFrame', 'beginSide', 'endSide', 'recordReply'] as const
  ).flatMap((verb) =>
    (['before', 'after'] as const).map((side) => ({
      verb,
      side,
      nth: verb === 'recordReply' ? 9 : verb === 'pinFrame' ? 1 : 0,
    })),
  );
  test.each(cuts)('a worker killed $side $verb leaves a session that goes on and answers', async (cut) => {
    const long = await session();
    await long.world.say('Task 1');
    expect(await long.run(cut)).toBe('died');
    expect(await long.run()).toEqual({ why: 'idle' });
    expect([await long.world.settled(), long.world.executed.length]).toEqual([['reply'], callsPerTurn]);
  });
});

describe('a context that does not fit', () => {
  test('is made smaller after the provider refused it, although our estimate saw room', async () => {
    const long = await session({ counts: (tokens) => Math.ceil(tokens * 1.45), tells: false });
    await long.world.say('Task 1');
    expect(await long.run()).toEqual({ why: 'idle' });
    const refused = long.logs.flatMap((log) => log.refused).length;
    expect([await long.world.settled(), refused > 0]).toEqual([['reply'], true]);
  });

  test('costs few refused requests: the smaller window is remembered while the worker has the session', async () => {
    const long = await session({ counts: (tokens) => Math.ceil(tokens * 1.45), tells: false });
    long.world.result = (command) => ({ outcome: 'ok', output: output(command).repeat(2) });
    await long.world.say('Task 1');
    expect(await long.run()).toEqual({ why: 'idle' });
    const refused = long.logs.flatMap((log) => log.refused).length;
    const made = await compactions(long);
    expect([refused, made.length > 2]).toEqual([1, true]);
  });

  test('one result of many windows is cut, and the session goes on', async () => {
    const long = await session();
    long.world.result = (command) => ({ outcome: 'ok', output: `${command} ${'x y z '.repeat(60_000)}` });
    await long.world.say('Task 1');
    expect(await long.run()).toEqual({ why: 'idle' });
    const refused = long.logs.flatMap((log) => log.refused);
    const cut = long.logs
      .flatMap((log) => log.requests)
      .some((each) => each.includes('too many for this model'));
    expect([await long.world.settled(), refused, cut]).toEqual([['reply'], [], true]);
  });

  test('a message of several windows is cut for the model and answered', async () => {
    const long = await session();
    await long.world.say(`Task 1 ${'and this '.repeat(25_000)} end`);
    expect(await long.run()).toEqual({ why: 'idle' });
    expect(await long.world.settled()).toEqual(['reply']);
  });

  test('with a frame larger than the window the session is parked and says what to do', async () => {
    const long = await session({ write: null }, 'instructions '.repeat(4_000));
    await long.world.say('hello');
    const end = await long.run();
    const row = await long.world.store.session(long.world.session);
    expect([end, row?.parked?.code, row?.parked?.reason]).toEqual([
      expect.objectContaining({ why: 'refused' }),
      'context_blocked',
      expect.stringContaining('larger window'),
    ]);
  });
});
