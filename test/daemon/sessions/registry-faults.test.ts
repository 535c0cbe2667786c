import { describe, expect, it } from 'vitest';
import { offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { RegistryRig } from '../support/registry-rig.ts';

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

  it('while its key is made anew is replaced at once; an orderly stop lets the key program end', async () => {
    const end = Promise.withResolvers<{ kind: 'refused'; reason: string }>();
    const rig = new RegistryRig({ models: { ...offlineOnly, refresh: () => end.promise } });
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    const refused = { name: 'openai', version: 1 };
    await worker.ask(session, 'refreshCredential', refused, () => rig.settle());
    worker.exit('killed by SIGKILL');
    await rig.settle();
    const next = rig.workers.last;
    next.ready();
    const goesOn = [rig.workers.workers.length, await rig.nextStep(next, session)];
    await next.ask(session, 'refreshCredential', refused, () => rig.settle());
    let stopped = false;
    const stop = rig.registry.stop().then(() => (stopped = true));
    await rig.settle();
    const early = stopped;
    end.resolve({ kind: 'refused', reason: 'There is none.' });
    await stop;
    expect([goesOn, early, stopped]).toEqual([[2, 'request'], false, true]);
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
  it('is killed when it does not answer for 20 s, and its sessions go on in another', async () => {
    const rig = new RegistryRig();
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    await rig.nextStep(worker, session);
    worker.deaf = true;
    await rig.pass(19_999);
    const before = worker.killed;
    await rig.pass(5_002);
    rig.workers.last.ready();
    expect([before, worker.killed, await rig.nextStep(rig.workers.last, session)]).toEqual([
      false,
      true,
      'request',
    ]);
    expect(rig.logged).toContain('warn: worker did not answer for 20 s: killed');
  });

  it('is asked only while it has a session', async () => {
    const rig = new RegistryRig({ hibernateAfterMs: 12_000 });
    rig.registry.start();
    const { session, worker } = await rig.running('a');
    worker.obedient = false;
    await rig.finishTurn(worker, session);
    await rig.pass(12_000);
    const { lease } = worker.lease(session);
    worker.say({ type: 'released', session, lease, why: 'asked' });
    const asked = worker.pings;
    await rig.pass(4_000);
    expect([asked, worker.pings, worker.heard.at(-1)]).toEqual([3, 3, 'stop']);
  });

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
