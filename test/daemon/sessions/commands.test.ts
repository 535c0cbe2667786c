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

it('keeps the rules and the sandbox that a new session is given, and checks them at once', async () => {
  const rig = new DaemonRig();
  const rules = { allow: ['Bash(git status)'], deny: ['Edit'] };
  const given = { rules, sandbox: 'required' as const };
  await commands(rig).send({ text: 'hi', uuid: 'uuid-0001', session: 'sent', ...given }, owner);
  const fresh = { dir: null, kind: 'interactive', mode: null, model: null } as const;
  await commands(rig).createSession({ ...fresh, name: 'made', ...given });
  await commands(rig).createSession({ ...fresh, name: 'plain', rules: {} });
  const seen = async (name: string) => {
    const row = await rig.store.session(name);
    return [row?.rules, row?.sandbox];
  };
  const kept = [{ allow: ['Bash(git status)'], ask: [], deny: ['Edit'] }, 'required'];
  expect([await seen('sent'), await seen('made'), await seen('plain')]).toEqual([kept, kept, [null, null]]);
  const wrong = { ...fresh, name: 'wrong', rules: { deny: ['Bush(rm)'] } };
  await expect(commands(rig).createSession(wrong)).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('Rule "Bush(rm)" names no tool'),
  });
  expect(await rig.store.session('wrong')).toBeNull();
});

it('refuses rules for a session that exists; the same message sent again is the one that is there', async () => {
  const rig = new DaemonRig();
  const body = { text: 'hi', uuid: 'uuid-0001', session: 'a', rules: { deny: ['Bash'] } };
  await commands(rig).send(body, owner);
  const again = await commands(rig).send(body, owner);
  const other = commands(rig).send({ ...body, uuid: 'uuid-0002' }, owner);
  await expect(other).rejects.toMatchObject({ code: 'bad_input' });
  expect([again.duplicate, await rig.store.message('uuid-0002')]).toEqual([true, null]);
});

it('sets no mode that the administrator forbids', async () => {
  const rig = new DaemonRig();
  const ports = {
    store: rig.store,
    ids: rig.ids,
    defaultMode: 'default',
    models: offlineOnly,
    defaultDir: '/w',
    checkDir: (dir: string) => Promise.resolve(dir),
    bypassDisabled: () => Promise.resolve(true),
  } as const;
  const { id } = await rig.session('a');
  const bypass = { mode: 'bypassPermissions' } as const;
  const fresh = { name: 'b', dir: null, kind: 'interactive', model: null } as const;
  const attempts = [
    sessionCommands(ports).setMode(id, bypass.mode),
    sessionCommands(ports).send({ text: 'x', uuid: 'uuid-0001', session: 'a', ...bypass }, owner),
    sessionCommands(ports).createSession({ ...fresh, ...bypass }),
  ];
  const codes = await Promise.all(
    attempts.map((attempt) =>
      attempt.then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect([codes, (await rig.store.session('a'))?.mode]).toEqual([
    ['not_allowed', 'not_allowed', 'not_allowed'],
    'default',
  ]);
  expect((await sessionCommands(ports).setMode(id, 'acceptEdits')).mode).toBe('acceptEdits');
});
