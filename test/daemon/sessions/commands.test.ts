import { expect, it } from 'vitest';
import { sessionCommands } from '../../../electron/daemon/sessions/commands.ts';
import { offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { limits } from '../../../shared/protocol/bridge.ts';
import { DaemonRig, owner } from '../support/daemon-rig.ts';

function commands(rig: DaemonRig) {
  return sessionCommands({
    store: rig.store,
    ids: rig.ids,
    defaultMode: 'default',
    models: offlineOnly,
    defaultDir: '/w',
    checkDir: (dir) => Promise.resolve(dir),
  });
}

it('counts a message as it is stored: a control character takes six bytes, and nothing is made of what is too long', async () => {
  const rig = new DaemonRig();
  const most = Math.floor((limits.messageBytes - 2) / 6);
  const send = (count: number, uuid: string) =>
    commands(rig).send({ text: '\u0001'.repeat(count), uuid, session: uuid }, owner);
  await expect(send(most + 1, 'uuid-long')).rejects.toMatchObject({ code: 'too_large' });
  const { state } = await send(most, 'uuid-fits');
  expect([state, await rig.store.session('uuid-long')]).toEqual(['working', null]);
});
