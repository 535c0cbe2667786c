import { describe, expect, it } from 'vitest';
import { RegistryRig } from '../support/registry-rig.ts';

describe('a session with something to do', () => {
  it('is given to a worker with everything it needs', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    expect(worker.lease(session)).toMatchObject({
      session,
      name: 'a',
      dir: '/w',
      mode: 'default',
      model: 'offline',
      scratch: `/s/${session}`,
    });
    expect([rig.board.live(session), rig.registry.runningCount, rig.registry.workerPids()]).toEqual([
      { pid: 100, leased: true, doing: null, background: 0 },
      1,
      [100],
    ]);
  });

  it('is not run before what a crash left is recovered', async () => {
    const rig = new RegistryRig();
    await rig.say((await rig.session('a')).id);
    await rig.settle();
    expect(rig.workers.workers).toHaveLength(0);
    rig.registry.start();
    await rig.settle();
    expect(rig.workers.workers).toHaveLength(1);
  });

  it('is told when more comes while its worker waits', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    expect(await rig.finishTurn(worker, session)).toBe('idle');
    await rig.say(session);
    await rig.settle();
    expect(worker.heard).toContain('changed');
    expect(await rig.nextStep(worker, session)).toBe('request');
  });

  it('sleeps on while its running note is written, and is told of what comes meanwhile', async () => {
    const rig = new RegistryRig({ hibernateAfterMs: 60_000 });
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    expect(await rig.finishTurn(worker, session)).toBe('idle');
    const settle = () => rig.settle();
    await worker.ask(session, 'memo', { upTo: 2, text: 'note' }, settle);
    await rig.say(session);
    await rig.settle();
    expect([(await rig.store.session(session))?.memo, worker.heard.at(-1)]).toEqual([
      { upTo: 2, text: 'note' },
      'changed',
    ]);
  });

  it('shares the worker of its lead when it is a teammate', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session: lead, worker } = await rig.running('lead');
    const mate = await rig.session('mate', { parent: lead, kind: 'daemon-worker' });
    await rig.say(mate.id);
    await rig.settle();
    expect([rig.workers.workers.length, worker.lease(mate.id).session]).toEqual([1, mate.id]);
  });
});

describe('capacity', () => {
  it('lets the rest wait, oldest reason first', async () => {
    const rig = new RegistryRig({ capacity: 1 });
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    const [b, c] = [(await rig.session('b')).id, (await rig.session('c')).id];
    await rig.say(c);
    await rig.pass(5);
    await rig.say(b);
    await rig.settle();
    expect(rig.workers.workers).toHaveLength(1);
    await rig.finishTurn(worker, session);
    await rig.settle();
    expect([rig.workers.workers.length, rig.workers.last.lease(c).session]).toEqual([2, c]);
  });

  it('is freed by a session that only waits', async () => {
    const rig = new RegistryRig({ capacity: 1 });
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.finishTurn(worker, session);
    const b = (await rig.session('b')).id;
    await rig.say(b);
    await rig.settle();
    expect([worker.heard, rig.workers.last.lease(b).session]).toEqual([
      ['lease', 'answer', 'answer', 'answer', 'release', 'stop'],
      b,
    ]);
  });

  it('is not used by one that only has work in the background, which waits for a place when it has to run', async () => {
    const rig = new RegistryRig({ capacity: 1 });
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    const { lease } = worker.lease(session);
    worker.say({ type: 'activity', session, lease, doing: null, background: 1 });
    await rig.finishTurn(worker, session);
    const b = (await rig.session('b')).id;
    await rig.say(b);
    await rig.settle();
    const other = rig.workers.last;
    other.ready();
    await rig.say(session);
    await rig.settle();
    const waiting = [other.lease(b).session, rig.registry.runningCount, ...worker.heard.slice(-1)];
    await rig.finishTurn(other, b);
    await rig.settle();
    expect([
      waiting,
      worker.heard.at(-1),
      worker.heard.includes('release'),
      other.heard.includes('release'),
    ]).toEqual([[b, 2, 'answer'], 'changed', false, true]);
  });
});

describe('a session with nothing to do', () => {
  it('hibernates after its quiet time, and wakes again', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.finishTurn(worker, session);
    await rig.pass(59_999);
    expect(rig.registry.runningCount).toBe(1);
    await rig.pass(1);
    expect([rig.registry.runningCount, rig.registry.workerPids(), rig.board.live(session).leased]).toEqual([
      0,
      [],
      false,
    ]);
    await rig.say(session);
    await rig.settle();
    expect(rig.workers.workers).toHaveLength(2);
  });

  it('stays while it works in the background', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    worker.say({ type: 'activity', session, lease: worker.lease(session).lease, doing: null, background: 1 });
    await rig.finishTurn(worker, session);
    await rig.pass(600_000);
    expect(rig.registry.runningCount).toBe(1);
  });
});

describe('a model that is asked again later', () => {
  it('is shown as what the session does, and each wait is logged once', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    const { lease } = worker.lease(session);
    const doing = "the model's server does not answer, trying again in 8 s";
    for (const background of [0, 1]) worker.say({ type: 'activity', session, lease, doing, background });
    worker.say({ type: 'activity', session, lease, doing: 'thinking', background: 1 });
    expect([
      rig.board.live(session).doing,
      rig.logged.filter((line) => line === 'warn: a model is asked again later').length,
    ]).toEqual(['thinking', 1]);
  });
});

describe('an interrupt', () => {
  it('lets the worker go at once', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    await rig.store.interrupt(session, 'stop');
    await rig.settle();
    expect(worker.sent.find((frame) => frame.type === 'release')).toMatchObject({ session, interrupt: true });
    expect(rig.registry.runningCount).toBe(0);
  });

  it('before the lease is sent does not overtake it', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const session = (await rig.session('a')).id;
    await rig.say(session);
    await rig.store.nextStep(session, {
      reservation: { tokens: 0, microUsd: 0 },
      limits: { dayMicroUsd: null, sessionDayTokens: null },
      policy: '',
    });
    await rig.store.interrupt(session, 'stop');
    await rig.say(session);
    await rig.settle();
    const worker = rig.workers.last;
    worker.ready();
    expect([worker.heard, await rig.nextStep(worker, session)]).toEqual([['lease'], 'request']);
  });
});

describe('a lease that is over', () => {
  it('has no say any more', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    await rig.store.interrupt(session, 'stop');
    await rig.settle();
    expect(await rig.nextStep(worker, session)).toBe('stale');
  });

  it('of an archived session ends without a complaint', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.store.archive(session);
    expect(await rig.nextStep(worker, session)).toBe('stale');
    expect(rig.logged).toEqual([]);
  });
});

describe('a runner that fails', () => {
  it('parks its session with the reason; a call it left behind is unknown', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    const { lease } = worker.lease(session);
    worker.say({ type: 'released', session, lease, why: 'failed', reason: 'out of memory' });
    await rig.settle();
    expect((await rig.store.session(session))?.parked).toMatchObject({
      code: 'runner_failed',
      reason: "The session's runner failed: out of memory",
    });
    expect(rig.workers.workers).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it('holds a session until something about it is committed', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.store.setPausedAll(true);
    const mate = {
      kind: 'teammate',
      origin: { principal: 'kairos', trust: 'self', surface: 'daemon' },
    } as const;
    expect(await rig.finishTurn(worker, session)).toBe('idle');
    await rig.say(session, 'later', mate);
    await rig.settle();
    expect(await rig.nextStep(worker, session)).toBe('refused');
    worker.say({ type: 'released', session, lease: worker.lease(session).lease, why: 'refused' });
    await rig.settle();
    expect(rig.registry.runningCount).toBe(0);
    await rig.store.setPausedAll(false);
    await rig.settle();
    expect(rig.workers.workers).toHaveLength(2);
  });

  it('that was taken back in the same commit does not hold', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    expect(await rig.finishTurn(worker, session)).toBe('idle');
    await rig.store.setPausedAll(true);
    await rig.say(session, 'later', {
      kind: 'teammate',
      origin: { principal: 'kairos', trust: 'self', surface: 'daemon' },
    });
    await rig.settle();
    const lease = worker.lease(session).lease;
    worker.say({ type: 'ask', id: 99, session, lease, verb: 'nextStep', input: { known: 0 } });
    const resumed = rig.store.setPausedAll(false);
    await rig.settle();
    await resumed;
    worker.say({ type: 'released', session, lease, why: 'refused' });
    await rig.settle();
    expect(rig.workers.workers).toHaveLength(2);
  });
});

describe('warming', () => {
  it('starts a worker before there is anything to do, within capacity', async () => {
    const rig = new RegistryRig({ capacity: 1 });
    rig.registry.start();
    const [a, b] = [(await rig.session('a')).id, (await rig.session('b')).id];
    rig.registry.warm(a);
    await rig.settle();
    rig.registry.warm(b);
    await rig.settle();
    expect(rig.workers.workers.map((worker) => worker.lease(a).session)).toEqual([a]);
  });
});

describe('an orderly stop', () => {
  it('waits for the workers, and for what has to be stored about them', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    worker.obedient = false;
    let over = false;
    const stopped = rig.registry.stop().then(() => (over = true));
    await rig.settle();
    expect([worker.heard.at(-1), over]).toEqual(['stop', false]);
    worker.exit('exit code 0');
    await stopped;
    await rig.store.close();
    expect(rig.logged.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('kills a worker that does not stop within five seconds, and counts no crash', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    worker.obedient = false;
    const stopped = rig.registry.stop();
    await rig.pass(5_000);
    await stopped;
    expect([worker.killed, (await rig.store.session(session))?.crash ?? null]).toEqual([true, null]);
  });

  it('starts nothing more', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    await rig.registry.stop();
    await rig.say((await rig.session('a')).id);
    await rig.settle();
    expect(rig.workers.workers).toHaveLength(0);
  });
});
