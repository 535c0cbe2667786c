import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MessageAnswer } from '../../shared/protocol/bridge.ts';
import { type Harness, createHarness, fastClock } from './support/cli-harness.ts';
import { type FakeBridge, type Push, startFakeBridge } from './support/fake-bridge.ts';
import { sampleAnswer, samplePrompt, sampleSession, sampleTime } from './support/samples.ts';

const topic = 'session:ses_1';
const place = { epoch: '', seq: 3 };
// Real processes and sockets on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

let harness: Harness;
let bridge: FakeBridge;
let answer: MessageAnswer;

beforeEach(async () => {
  harness = createHarness();
  await start();
  answer = sampleAnswer();
});
afterEach(async () => {
  await bridge.close();
  harness.dispose();
});

/** A bridge that answers with whatever `answer` is at that moment. */
async function start(): Promise<void> {
  bridge = await startFakeBridge();
  bridge.routes['POST /messages'] = () => ({ status: 201, body: answer });
  bridge.routes['GET /messages/message-1'] = () => ({ body: answer });
  bridge.routes['GET /sessions/ses_1'] = () => ({
    body: sampleSession({ parked: { code: 'auth', reason: 'The key was refused.', at: 0 } }),
  });
  bridge.onSubscribe = (_topic, push) => snapshot(push);
  await harness.announce(bridge);
}

function snapshot(push: Push, prompts = [] as ReturnType<typeof samplePrompt>[]): void {
  const view = { session: sampleSession(), events: [], older: false, prompts, draft: null };
  push({ type: 'snapshot', topic, place, view });
}

function settle(push: Push, message = 'message-1'): void {
  if (message === 'message-1') {
    answer = sampleAnswer({
      state: 'settled',
      settledBy: 'reply',
      replies: [{ text: 'Done **it**', status: 'normal' }],
    });
  }
  const body = { message, wake: 'wak_1', ref: 'm1', turn: 'trn_1', by: 'reply' };
  const event = { id: 9, session: 'ses_1', seq: 4, at: sampleTime, type: 'message.settled', v: 1, body };
  push({ type: 'event', topic, place: { epoch: '', seq: 4 }, event });
}

const send = ['send', 'hello', '--wait'];

test('the wait ends when this very message is settled, not another one', async () => {
  const looks: number[] = [];
  bridge.onSubscribe = (_topic, push) => {
    snapshot(push);
    settle(push, 'message-2');
    looks.push(bridge.seen.length);
    settle(push);
  };
  const { code, out, err } = await harness.run(send);
  expect([code, out, err]).toEqual([0, 'Done **it**\n', '']);
});

test('a message that was settled before anybody followed is found by the snapshot', async () => {
  bridge.onSubscribe = (_topic, push) => {
    answer = sampleAnswer({
      state: 'settled',
      settledBy: 'reply',
      replies: [{ text: 'Done', status: 'normal' }],
    });
    snapshot(push);
  };
  const { code, out } = await harness.run([...send, '--json']);
  expect([code, JSON.parse(out)]).toEqual([0, { ...answer, name: null }]);
});

test('that the model is asked again later is told on stderr once, a tool that says the same is not', async () => {
  const doing = (text: string) => sampleSession({ state: 'working', doing: text });
  bridge.onSubscribe = (_topic, push) => {
    snapshot(push);
    for (const text of [
      "Bash: the model's server failed (500), trying again in 1 s",
      "the model's server is overloaded (529), trying again in 8 s",
      "the model's server is overloaded (529), trying again in 16 s",
    ])
      push({ type: 'session', topic, session: doing(text) });
    settle(push);
  };
  const { code, out, err } = await harness.run(send);
  expect([code, out, err]).toEqual([
    0,
    'Done **it**\n',
    "The model's server is overloaded (529), trying again in 8 s.\n",
  ]);
});

test('what asks is shown on stderr once, whole, with its commands, and the wait goes on', async () => {
  const prompt = samplePrompt();
  bridge.onSubscribe = (_topic, push) => {
    snapshot(push, [prompt]);
    push({ type: 'prompt', topic, prompt });
    push({ type: 'prompt', topic, prompt: { ...prompt, state: 'decided' } });
    settle(push);
  };
  const { code, out, err } = await harness.run([...send, '--json']);
  expect([
    code,
    (JSON.parse(out) as MessageAnswer).state,
    err.replace(/asked .*/, 'asked WHEN').split('\n'),
  ]).toEqual([
    0,
    'settled',
    [
      'Needs you: Bash: git push --force',
      '  payments in /shop, asked WHEN',
      '  Kairos says: sync the branch',
      '    git push --force',
      '    origin main',
      '  "session" and "always" would keep the rule: Bash(git push:*)',
      '  Answer with: kairos approve abcde   or   kairos deny abcde',
      '',
    ],
  ]);
});

test('a time-out ends with 4 and prints the state', async () => {
  bridge.onSubscribe = (_topic, push) => {
    answer = sampleAnswer({ state: 'asking' });
    snapshot(push);
  };
  const { code, out, err } = await harness.run([...send, '--timeout', '0.3', '--json']);
  expect([code, (JSON.parse(out) as MessageAnswer).state, err]).toEqual([
    4,
    'asking',
    'Not settled after 0.3 s; its state is "asking". The agent goes on. See: kairos sessions\n',
  ]);
});

test('a stopped session ends the wait with 1 and its reason', async () => {
  bridge.onSubscribe = (_topic, push) => {
    snapshot(push);
    answer = sampleAnswer({ state: 'parked', name: 'shop' });
    push({ type: 'session', topic, session: sampleSession({ state: 'parked' }) });
  };
  const { code, out, err } = await harness.run([...send, '--json']);
  expect([code, (JSON.parse(out) as MessageAnswer).state, err]).toEqual([
    1,
    'parked',
    'The session stopped: The key was refused. Nothing was lost. Try again with: kairos retry shop\n',
  ]);
});

test('a session that a limit stopped says the raise that its reason ends with, and no other advice', async () => {
  const why = "the day's limit of $1.00 would be passed ($0.99 spent).";
  const advice = 'It goes on by itself at midnight, or now with: kairos usage raise 2';
  bridge.onSubscribe = (_topic, push) => {
    snapshot(push);
    answer = sampleAnswer({ state: 'parked' });
    const parked = { code: 'budget', reason: `${why} ${advice}`, at: sampleTime };
    bridge.routes['GET /sessions/ses_1'] = () => ({ body: sampleSession({ state: 'parked', parked }) });
    push({ type: 'session', topic, session: sampleSession({ state: 'parked' }) });
  };
  expect((await harness.run(send)).err).toBe(`The session stopped: ${why} ${advice}\n`);
});

test('a stopped session whose reason ends with a command says that one, as it is typed here, and no other', async () => {
  const reason =
    'There is no key for anthropic/x: set ANTHROPIC_API_KEY and restart the daemon. Then take the session up again: kairos retry shop';
  bridge.onSubscribe = (_topic, push) => {
    snapshot(push);
    answer = sampleAnswer({ state: 'parked' });
    const parked = { code: 'credential_missing', reason, at: sampleTime };
    bridge.routes['GET /sessions/ses_1'] = () => ({ body: sampleSession({ state: 'parked', parked }) });
    push({ type: 'session', topic, session: sampleSession({ state: 'parked' }) });
  };
  const { err } = await harness.run(send, { program: 'npx kairos' });
  expect(err).toBe(`The session stopped: ${reason.replace('kairos retry', 'npx kairos retry')}\n`);
});

test('Ctrl+C leaves with 130 and the agent goes on', async () => {
  const following = new Promise<void>((resolve) => {
    bridge.onSubscribe = (_topic, push) => {
      snapshot(push);
      resolve();
    };
  });
  const running = harness.run(send);
  await following;
  harness.signal('SIGINT');
  expect(await running).toEqual({
    code: 130,
    out: '',
    err: 'Left. The agent goes on; see: kairos sessions\n',
  });
});

test('Ctrl+C after Kairos has stopped does not say that the agent goes on', async () => {
  const following = new Promise<void>((resolve) => {
    bridge.onSubscribe = (_topic, push) => {
      snapshot(push);
      resolve();
    };
  });
  const running = harness.run(send);
  await following;
  await harness.announce(bridge, { startTime: 'gone' });
  harness.signal('SIGINT');
  expect(await running).toEqual({
    code: 130,
    out: '',
    err: 'Left. Kairos does not run any more; the message is kept; go on with: kairos daemon start\n',
  });
});

test('Ctrl+C before the message is known to be stored says so', async () => {
  const asked = new Promise<void>((resolve) => {
    bridge.routes['POST /messages'] = () => {
      resolve();
      return 'hang';
    };
  });
  const running = harness.run(['send', 'hello']);
  await asked;
  harness.signal('SIGINT');
  expect(await running).toEqual({
    code: 130,
    out: '',
    err: 'Left. It is not known whether the message was stored; see: kairos sessions\n',
  });
});

test('a daemon that comes back in safe mode ends the wait with 1, one sentence and one advice', async () => {
  bridge.onSubscribe = (name, push) =>
    push({ type: 'error', code: 'safe_mode', message: 'Kairos is in safe mode.', topic: name });
  await harness.announce(bridge, { safe: 'The schema is newer.' });
  expect(await harness.run(send)).toEqual({
    code: 1,
    out: '',
    err: 'Kairos is in safe mode and runs no sessions: The schema is newer. Mend the cause (see: kairos doctor, kairos logs), then: kairos daemon restart\n',
  });
});

test('what was asked before the message was worked on is shown as that of an earlier one', async () => {
  const at = { session: 'ses_1', at: sampleTime, v: 1 };
  const opened = (seq: number, prompt: string) => {
    return { ...at, id: seq, seq, type: 'prompt.opened', body: { prompt, code: prompt } };
  };
  const received = { message: 'message-1', wake: 'wak_2', ref: 'm2' };
  const view = {
    session: sampleSession(),
    events: [opened(2, 'pmt_1'), { ...at, id: 3, seq: 3, type: 'message.received', body: received }],
    older: true,
    prompts: [
      samplePrompt({ id: 'pmt_0', code: 'vwxyz', kind: 'trust', headline: 'Trust /shop?', rule: null }),
      samplePrompt(),
    ],
    draft: null,
  };
  const taken = { ...at, id: 4, seq: 4, type: 'step.began', body: { step: 'stp_2', wakes: ['wak_2'] } };
  bridge.onSubscribe = (_topic, push) => {
    push({ type: 'snapshot', topic, place, view });
    push({ type: 'event', topic, place: { epoch: '', seq: 4 }, event: taken });
    push({ type: 'event', topic, place: { epoch: '', seq: 5 }, event: opened(5, 'pmt_2') });
    push({ type: 'prompt', topic, prompt: samplePrompt({ id: 'pmt_2', code: 'fghij' }) });
    settle(push);
  };
  const { err } = await harness.run(send);
  expect(err.split('\n').filter((line) => /^\S/.test(line))).toEqual([
    'Needs you: Trust /shop?',
    'The session still asks about an earlier message; yours comes after it.',
    'Needs you: Bash: git push --force',
    'Needs you: Bash: git push --force',
  ]);
});

test('a daemon that dies in the middle and comes back on another port is followed again', async () => {
  const following = new Promise<void>((resolve) => {
    bridge.onSubscribe = (_topic, push) => {
      snapshot(push);
      resolve();
    };
  });
  const running = harness.run([...send, '--timeout', '20']);
  await following;
  await harness.announceSupervisor();
  await harness.announce(bridge, { startTime: 'gone' });
  await bridge.close();
  await start();
  bridge.onSubscribe = (_topic, push) => {
    snapshot(push);
    settle(push);
  };
  const { code, out, err } = await running;
  expect([code, out, err]).toEqual([0, 'Done **it**\n', 'Reconnecting…\n']);
});

test('a message whose first answer got lost is sent again under the same UUID', async () => {
  let times = 0;
  bridge.routes['POST /messages'] = () => {
    times += 1;
    if (times === 1) return 'drop';
    return { status: 201, body: sampleAnswer({ state: 'settled', duplicate: true }) };
  };
  const { code } = await harness.run([...send, '--json']);
  const uuids = bridge.seen
    .filter(({ route }) => route === 'POST /messages')
    .map(({ body }) => (body as { uuid: string }).uuid);
  expect([code, uuids.length, new Set(uuids).size]).toEqual([0, 2, 1]);
});

test('a daemon on its way out is waited for, and the message goes to the one that follows', async () => {
  let times = 0;
  bridge.routes['POST /messages'] = () => {
    times += 1;
    if (times > 1) return { status: 201, body: sampleAnswer({ state: 'settled' }) };
    return {
      status: 503,
      body: { error: { code: 'stopping', message: 'Kairos is stopping.', next: 'Wait.' } },
    };
  };
  const { code } = await harness.run(send);
  expect([code, times]).toEqual([0, 2]);
});

test('a ticket that the daemon does not know is replaced by a new one', async () => {
  const admit = bridge.routes['POST /tickets'];
  let times = 0;
  bridge.routes['POST /tickets'] = (call) => {
    times += 1;
    if (times > 1 && admit !== undefined) return admit(call);
    return { status: 201, body: { ticket: 'of the daemon before', expiresInMs: 1, scopes: ['owner'] } };
  };
  bridge.onSubscribe = (_topic, push) => {
    snapshot(push);
    settle(push);
  };
  const { code } = await harness.run(send);
  expect([code, times]).toEqual([0, 2]);
});

test('an older daemon that refuses to be followed ends the wait with 5 and offers a restart', async () => {
  bridge.onSubscribe = (_topic, push) =>
    push({ type: 'error', code: 'daemon_older', message: 'It speaks version 0.' });
  const { code, err } = await harness.run(send);
  expect([code, err]).toEqual([
    5,
    'The daemon refused to be followed: It speaks version 0. Restart it with: kairos daemon restart\n',
  ]);
});

test('a daemon that ends every connection is given up with 5 after a few', async () => {
  const fast = createHarness(fastClock(20));
  await fast.announce(bridge);
  bridge.routes['POST /tickets'] = () => ({
    status: 201,
    body: { ticket: 'forged', expiresInMs: 1, scopes: ['owner'] },
  });
  const { code, err } = await fast.run(send);
  fast.dispose();
  expect([code, err.split('\n').at(-2)]).toEqual([
    5,
    'The daemon ends every connection that wants to follow this session. Look with: kairos doctor, or kairos daemon logs',
  ]);
});

test('a daemon that never answers is given up when the time is over', async () => {
  bridge.routes['POST /messages'] = () => 'hang';
  const { code, out, err } = await harness.run([...send, '--timeout', '0.3', '--json']);
  expect([
    code,
    out,
    err.startsWith(`The daemon (process ${process.pid}) does not answer at ${bridge.url}.`),
  ]).toEqual([4, '', true]);
});
