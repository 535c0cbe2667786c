import { describe, expect, it } from 'vitest';
import type { FakeWorker } from '../support/fake-workers.ts';
import { RegistryRig } from '../support/registry-rig.ts';

const end = { how: 'exited', code: 0, signal: null, tail: '', bytes: 0 } as const;

async function withTask(): Promise<{ rig: RegistryRig; session: string; worker: FakeWorker }> {
  const rig = new RegistryRig();
  rig.registry.start();
  const { session, worker } = await rig.running('a');
  const task = {
    task: 't1',
    call: 'c1',
    title: 'make TOKEN=sk-ant-api03-abcdefghijklmnopqrstuvwx',
    output: '/s/t1.txt',
  };
  expect(await worker.ask(session, 'taskBegan', task, () => rig.settle())).toEqual({ ok: { running: 1 } });
  await rig.finishTurn(worker, session);
  return { rig, session, worker };
}
const endTask = ({ rig, session, worker }: Awaited<ReturnType<typeof withTask>>) =>
  worker.ask(session, 'taskEnded', { task: 't1', end }, () => rig.settle());

describe('a background task', () => {
  it('keeps its session awake; its end begins a turn there, and the quiet time after that', async () => {
    const given = await withTask();
    const { rig, session, worker } = given;
    await rig.pass(600_000);
    const during = [rig.registry.runningCount, rig.board.live(session).background];
    expect(await endTask(given)).toEqual({ ok: { running: 0 } });
    expect([during, worker.heard.filter((type) => type === 'changed').length]).toEqual([[1, 1], 1]);
    await rig.finishTurn(worker, session);
    await rig.pass(60_000);
    expect(rig.registry.runningCount).toBe(0);
  });

  it('that ends while its session is paused lets the session sleep after its quiet time', async () => {
    const given = await withTask();
    const { rig, session } = given;
    await rig.store.setPaused(session, true);
    await rig.pass(120_000);
    await endTask(given);
    await rig.pass(59_999);
    const before = rig.registry.runningCount;
    await rig.pass(1);
    expect([before, rig.registry.runningCount]).toEqual([1, 0]);
  });

  it('goes on in a session that is parked, and ends with one that is archived', async () => {
    const { rig, session, worker } = await withTask();
    await rig.store.park(session, 'model_failed', 'no answer');
    await rig.pass(600_000);
    expect([rig.registry.runningCount, worker.heard.includes('release')]).toEqual([1, false]);
    await rig.store.archive(session);
    await rig.settle();
    expect(worker.sent.find((frame) => frame.type === 'release')).toMatchObject({ session, interrupt: true });
  });

  it('of a session that does nothing else ends with an interrupt, and its worker lets go', async () => {
    const { rig, session, worker } = await withTask();
    const ended = await rig.store.interrupt(session, 'interrupted by owner.');
    await rig.settle();
    expect([ended, worker.sent.find((frame) => frame.type === 'release')]).toEqual([
      true,
      expect.objectContaining({ session, interrupt: true }),
    ]);
  });

  it('has no secret in its title', async () => {
    const { rig, session } = await withTask();
    const row = await rig.store.session(session);
    expect(row?.tasks?.running[0]?.title).not.toContain('abcdefghijklmnop');
  });
});
