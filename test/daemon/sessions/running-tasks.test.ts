import { expect, it } from 'vitest';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import { sessionCommands } from '../../../electron/daemon/sessions/commands.ts';
import { type ModelSource, offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { DaemonRig, owner } from '../support/daemon-rig.ts';

const anyModel: ModelSource = { ...offlineOnly, checkRef: (ref) => ref, problem: () => null };

async function withTasks(count: number) {
  const rig = new DaemonRig();
  const commands = sessionCommands({
    store: rig.store,
    ids: rig.ids,
    defaultMode: 'default',
    models: anyModel,
    defaultDir: '/w',
    checkDir: (dir) => Promise.resolve(dir),
  });
  const { id } = await rig.session('a');
  for (let n = 1; n <= count; n += 1)
    await rig.store.beginTask(id, { task: `t${n}`, call: 'c1', title: 'make', output: `/s/t${n}.txt` });
  const changes = {
    model: () => commands.setModel('a', 'lab/other'),
    brief: () => commands.setBrief('a', true),
    message: () => commands.send({ text: '/brief', uuid: 'uuid-0001', session: 'a' }, owner),
    withMessage: () => commands.send({ text: 'hi', uuid: 'uuid-0002', session: 'a', brief: true }, owner),
  };
  return { rig, id, commands, changes };
}

it('a change that would end background commands is refused in one sentence with what to do, and changes nothing', async () => {
  const { rig, id, commands, changes } = await withTasks(2);
  const before = await rig.store.session(id);
  const refusals = [];
  for (const change of Object.values(changes))
    refusals.push(
      await change().then(
        () => 'done',
        (error: unknown) => [errorCode(error), errorMessage(error)],
      ),
    );
  const same = await commands.setModel('a', before?.model ?? '');
  const refusal = [
    'tasks_running',
    'Not changed: 2 commands run in the background of a, and the change would end them.',
  ];
  expect([refusals, same, await rig.store.session(id)]).toEqual([
    [refusal, refusal, refusal, refusal],
    before,
    before,
  ]);
});

it('after an interrupt the same change is done', async () => {
  const { commands, changes } = await withTasks(1);
  await expect(changes.brief()).rejects.toMatchObject({
    next: 'Wait until it ends, tell the session to stop it, or run: kairos interrupt a',
  });
  await commands.interrupt('a', owner);
  expect([(await changes.model()).model, (await changes.brief()).brief]).toEqual(['lab/other', true]);
});
