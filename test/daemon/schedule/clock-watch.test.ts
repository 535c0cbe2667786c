import { describe, expect, it } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../../../electron/daemon/events/memory/memory-store.ts';
import { ClockWatch } from '../../../electron/daemon/schedule/clock-watch.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import { DaemonRig, startedAt, terms } from '../support/daemon-rig.ts';

const hour = 3_600_000;
const year = 365 * 24 * hour;

/** One machine whose daemon can be started again and again on the same disk. */
class Machine {
  readonly rig = new DaemonRig();
  readonly clock: Clock = { ...this.rig.clock, sinceBoot: () => this.rig.time.sinceBoot };
  store: MemoryStore = this.rig.store;
  watch = this.watching('boot 1');

  watching(boot: string | null): ClockWatch {
    return new ClockWatch({ store: this.store, clock: this.clock, log: this.rig.log, boot });
  }

  /** A prompt that expires and a call that sleeps, an hour from now. */
  async waiting(): Promise<string> {
    const asked = await this.rig.ask((await this.rig.session('asks')).id, 'ls', { lifeMs: hour });
    const session = (await this.rig.session('sleeps')).id;
    const facts = { tool: 'Sleep', input: {}, access: 'wait', class: 'local' };
    const { step, call } = await this.rig.firstCall(session, facts as never);
    const decision = { behavior: 'allow', by: 'pure', rule: null } as const;
    const plan = { do: 'sleep', until: this.clock.now() + hour } as const;
    const begun = { session, step, call, facts: facts as never, decision, digest: 'd', plan, terms };
    await this.store.beginCall(begun);
    return asked.prompt;
  }

  /** The next start of the daemon; `stop` before it or not. */
  async restart(boot: string | null = 'boot 1'): Promise<void> {
    this.store.crash();
    const { ids, disk } = this.rig;
    this.store = createMemoryStore({ clock: this.clock, ids, disk });
    this.watch = this.watching(boot);
    await this.watch.start();
  }

  /** In how many ms of real time the prompt expires and the call wakes; rounded to seconds. */
  async left(prompt: string): Promise<readonly number[]> {
    const [call] = await this.store.calls((await this.store.session('sleeps'))?.step?.id ?? '');
    const expiresAt = (await this.store.prompt(prompt))?.expiresAt ?? 0;
    return [expiresAt, call?.until ?? 0].map((at) => Math.round((at - this.clock.now()) / 1000) * 1000);
  }
}

const downMs = 10 * 60_000;
const kept = [hour - downMs, hour - downMs];

describe('a wall clock that was set while the daemon was stopped', () => {
  it.each([year, -year, 5 * 60_000, -5 * 60_000])(
    'leaves what waits its length (set by %d ms), after a stop in order and after kill -9',
    async (ms) => {
      const found = [];
      for (const stopped of [true, false]) {
        const machine = new Machine();
        await machine.watch.start();
        const prompt = await machine.waiting();
        if (stopped) await machine.watch.stop();
        machine.rig.time.mono += downMs;
        machine.rig.time.jump(ms);
        await machine.restart();
        const first = await machine.left(prompt);
        await machine.restart();
        found.push(first, await machine.left(prompt));
      }
      expect(found).toEqual([kept, kept, kept, kept]);
    },
  );

  it.each([
    ['another boot', 'boot 2'],
    ['a boot without a name', null],
  ])('cannot be told from %s: durations keep the wall clock', async (_name, boot) => {
    const machine = new Machine();
    await machine.watch.start();
    const prompt = await machine.waiting();
    await machine.watch.stop();
    machine.rig.time.jump(10 * 60_000);
    await machine.restart(boot);
    expect(await machine.left(prompt)).toEqual(kept);
  });

  it('is told from a machine that slept: that time counts', async () => {
    const machine = new Machine();
    await machine.watch.start();
    const prompt = await machine.waiting();
    await machine.watch.stop();
    machine.rig.time.sleep(10 * 60_000);
    await machine.restart();
    expect([await machine.left(prompt), machine.rig.logged]).toEqual([kept, []]);
  });

  it('is made good once when it was set while the daemon ran and died right after', async () => {
    const machine = new Machine();
    await machine.watch.start();
    const prompt = await machine.waiting();
    machine.rig.time.mono += downMs;
    machine.rig.time.jump(-year);
    await machine.watch.check();
    await machine.restart();
    expect([await machine.left(prompt), machine.rig.logged.length]).toEqual([kept, 1]);
  });

  it('is measured from the stop: less than 3 s since then is no set clock, whatever drifted before', async () => {
    const machine = new Machine();
    await machine.watch.start();
    machine.rig.time.jump(900);
    await machine.watch.stop();
    machine.rig.time.jump(2_500);
    await machine.restart();
    expect(machine.rig.logged).toEqual([]);
  });

  it('is told from a clock that drifts: what has added up is noted', async () => {
    const machine = new Machine();
    await machine.watch.start();
    for (let look = 0; look < 40; look += 1) {
      machine.rig.time.jump(500);
      await machine.watch.check();
    }
    const prompt = await machine.waiting();
    machine.rig.time.mono += downMs;
    await machine.restart();
    expect([await machine.left(prompt), machine.rig.logged]).toEqual([kept, []]);
  });
});

describe('a full disk', () => {
  it('lets the start try again, and what was set is made good then', async () => {
    const machine = new Machine();
    await machine.watch.start();
    const prompt = await machine.waiting();
    await machine.watch.stop();
    machine.rig.time.mono += downMs;
    machine.rig.time.jump(year);
    machine.rig.disk.full = true;
    const refused = await machine.restart().then(
      () => 'started',
      (error: { code: string }) => error.code,
    );
    machine.rig.disk.full = false;
    await machine.watch.start();
    expect([refused, await machine.left(prompt)]).toEqual(['disk_full', kept]);
  });

  it('lets the next look make good what was set meanwhile', async () => {
    const machine = new Machine();
    await machine.watch.start();
    const prompt = await machine.waiting();
    machine.rig.time.mono += downMs;
    machine.rig.time.jump(year);
    machine.rig.disk.full = true;
    await machine.watch.check();
    machine.rig.disk.full = false;
    await machine.watch.check();
    await machine.watch.check();
    expect([await machine.left(prompt), machine.clock.now() - startedAt]).toEqual([kept, year + downMs]);
  });
});
