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
      ['lease', 'answer', 'answer', 'answer', 'answer', 'answer', 'release', 'stop'],
      b,
    ]);
  });

  it('is not freed by one with work in the background', async () => {
    const rig = new RegistryRig({ capacity: 1 });
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    const { lease } = worker.lease(session);
    worker.say({ type: 'activity', session, lease, doing: null, background: 1 });
    await rig.finishTurn(worker, session);
    await rig.say((await rig.session('b')).id);
    await rig.settle();
    expect(worker.heard).not.toContain('release');
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

describe('a worker that dies', () => {
  it('is replaced, and its session goes on from what is stored', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    worker.exit('killed by SIGSEGV');
    await rig.settle();
    rig.workers.last.ready();
    expect([rig.workers.workers.length, await rig.nextStep(rig.workers.last, session)]).toEqual([
      2,
      'request',
    ]);
    expect(rig.logged).toContain('warn: worker died');
  });

  it('three times at one place parks its session, and people are told', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    let current = worker;
    for (let death = 0; death < 3; death += 1) {
      await rig.nextStep(current, session);
      current.exit('killed by SIGSEGV');
      await rig.settle();
      current = rig.workers.last;
      current.ready();
    }
    expect((await rig.store.session(session))?.parked?.code).toBe('crash_loop');
    expect(await rig.types(session)).toContain('message.sent');
    expect(rig.workers.workers).toHaveLength(3);
    await rig.store.unpark(session);
    await rig.settle();
    expect(rig.workers.workers).toHaveLength(4);
  });

  it('and progress in between start the count anew', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    let current = worker;
    for (let death = 0; death < 4; death += 1) {
      await rig.nextStep(current, session);
      if (death % 2 === 1) await rig.finishTurn(current, session);
      if (death % 2 === 1) await rig.say(session);
      current.exit('killed');
      await rig.settle();
      current = rig.workers.last;
      current.ready();
    }
    expect((await rig.store.session(session))?.parked).toBeNull();
  });

  it('before it is ready is started again after a growing pause', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    await rig.say((await rig.session('a')).id);
    const starts: number[] = [];
    for (let failure = 0; failure < 4; failure += 1) {
      await rig.settle();
      starts.push(rig.time.mono);
      rig.workers.last.exit('exit code 1');
      await rig.settle();
      expect(rig.problemCodes).toContain('worker_start');
      await rig.pass(250 * 2 ** failure);
    }
    expect(starts).toEqual([0, 250, 750, 1750]);
    const [session] = await rig.store.runnable();
    rig.workers.last.ready();
    await rig.nextStep(rig.workers.last, session ?? '');
    expect(rig.problemCodes).not.toContain('worker_start');
  });

  it('takes its teammates along', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session: lead, worker } = await rig.running('lead');
    const mate = (await rig.session('mate', { parent: lead, kind: 'daemon-worker' })).id;
    await rig.say(mate);
    await rig.settle();
    await rig.nextStep(worker, lead);
    await rig.nextStep(worker, mate);
    worker.exit('killed');
    await rig.settle();
    const next = rig.workers.last;
    expect([next.lease(lead).session, next.lease(mate).session]).toEqual([lead, mate]);
  });
});

describe('the last words of a dead worker', () => {
  it('begin nothing, also when they arrive after its end', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    worker.exit('killed');
    expect(await rig.nextStep(worker, session)).toBe('stale');
    expect(await rig.types(session)).not.toContain('step.began');
  });
});

describe('a worker that hangs', () => {
  it('before it takes up its session is killed', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { worker } = await rig.running('a');
    await rig.pass(60_000);
    expect([worker.killed, rig.workers.workers.length]).toEqual([true, 2]);
  });

  it('and does not let go of an interrupted session is killed', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    worker.obedient = false;
    await rig.store.interrupt(session, 'stop');
    await rig.pass(14_999);
    expect([worker.heard.at(-1), worker.killed]).toEqual(['release', false]);
    await rig.pass(1);
    expect(worker.killed).toBe(true);
  });

  it('and does not come back to a message is killed', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.finishTurn(worker, session);
    await rig.say(session);
    await rig.pass(60_000);
    expect(worker.killed).toBe(true);
  });

  it('while it works on a model or a tool is left to the person', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    await rig.pass(3_600_000);
    expect(worker.killed).toBe(false);
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

describe('a machine that cannot start sessions', () => {
  it('is not heated by trying: a session rests, and goes on when it is mended', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    rig.broken = true;
    await rig.say((await rig.session('a')).id);
    await rig.pass(20_000);
    expect(rig.workers.workers.length).toBeLessThan(6);
    expect(rig.problemCodes.length).toBeGreaterThan(0);
    rig.broken = false;
    await rig.pass(5_000);
    expect(rig.registry.runningCount).toBe(1);
  });
});

describe('a full disk', () => {
  it('keeps the answer to a runner back until there is room', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    rig.disk.full = true;
    const asked = worker.ask(session, 'nextStep', { known: 0 }, () => rig.pass(10_000));
    await rig.pass(5_000);
    expect(worker.heard).toEqual(['lease']);
    rig.disk.full = false;
    expect(await asked).toMatchObject({ ok: { kind: 'request' } });
    expect((await rig.store.session(session))?.parked).toBeNull();
  });

  it('does not make it forget that a worker died', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    rig.disk.full = true;
    worker.exit('killed');
    await rig.pass(5_000);
    expect(rig.workers.workers).toHaveLength(1);
    rig.disk.full = false;
    await rig.pass(1_000);
    expect([(await rig.store.session(session))?.crash?.count, rig.workers.workers.length]).toEqual([1, 2]);
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
