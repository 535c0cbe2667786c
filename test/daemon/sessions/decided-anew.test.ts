import { expect, test } from 'vitest';
import { PromptBroker } from '../../../electron/daemon/prompts/broker.ts';
import { viewersSurface } from '../../../electron/daemon/prompts/viewers-surface.ts';
import { callOutlook } from '../../../electron/daemon/sessions/call-outlook.ts';
import { sessionPolicy } from '../../../electron/daemon/sessions/session-terms.ts';
import { noticingChanges } from '../../../electron/daemon/settings/config-changes.ts';
import { settingsConfig } from '../../../electron/daemon/sessions/session-terms.ts';
import type { Verdict } from '../../../shared/domain/prompts.ts';
import type { Rule } from '../../../shared/domain/permissions/rules.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { sha256 } from '../../support/sim/sim-tools.ts';
import { DaemonRig } from '../support/daemon-rig.ts';
import { RegistryRig } from '../support/registry-rig.ts';

const by = { surface: 'viewers', principal: 'owner', at: 0 };
const once: Verdict = { behavior: 'allow', scope: 'once' };
const denied = { effect: 'deny', tool: 'Bash', subject: 'ls:*', session: null, by } as const;

test('a hibernated session gets a worker when what its waiting call is decided by changes, and no other does', async () => {
  const rig = new RegistryRig();
  const session = (await rig.session('a')).id;
  const quiet = (await rig.session('b')).id;
  await rig.ask(session, 'ls');
  rig.registry.start();
  await rig.settle();
  const before = rig.workers.workers.length;
  await rig.store.setMode(quiet, 'bypassPermissions');
  await rig.settle();
  const after = rig.workers.workers.length;
  await rig.store.setMode(session, 'bypassPermissions');
  await rig.settle();
  expect([
    after - before,
    rig.workers.workers.length - after,
    rig.workers.last.lease(session).session,
  ]).toEqual([0, 1, session]);
});

async function brokerOf(rig: DaemonRig): Promise<PromptBroker> {
  const self = { home: '/home/.kairos', scratch: '/home/.kairos/scratch', words: [] };
  const policy = sessionPolicy(defaultSettings(), self);
  const outlook = callOutlook({ store: rig.store, policy, sha256 });
  const broker = new PromptBroker({ ...rig, store: rig.store, outlook });
  await broker.register(viewersSurface);
  return broker;
}

test.each([
  ['a rule that denies it', denied, once, 'It is not run all the same, denied by: rule (always) Bash(ls:*).'],
  ['a rule that asks about it', { ...denied, effect: 'ask' }, once, ''],
  ['a rule that denies something else', { ...denied, subject: 'rm:*' }, once, ''],
  ['a rule that denies it, to a refusal', denied, { behavior: 'deny' }, ''],
] as const)('who allows a call is told of %s', async (_title, rule: Rule, verdict: Verdict, more) => {
  const rig = new DaemonRig();
  const broker = await brokerOf(rig);
  const { code } = await rig.ask((await rig.session('a')).id, 'ls');
  await rig.settle();
  await rig.store.addRule({ ...rule, session: null, by });
  const { outcome, message } = await broker.verdict(code, verdict, by, true);
  const said = verdict.behavior === 'allow' ? 'Allowed once: Bash: ls' : 'Denied: Bash: ls';
  expect([outcome, message]).toEqual(['accepted', more === '' ? said : `${said} ${more}`]);
});

test('who answers what nobody is asked any more is told why', async () => {
  const rig = new DaemonRig();
  const broker = await brokerOf(rig);
  const session = (await rig.session('a')).id;
  const { code } = await rig.ask(session, 'ls');
  await rig.settle();
  await rig.store.interrupt(session, 'stopped by the owner');
  const { outcome, message } = await broker.verdict(code, once, by, true);
  expect([outcome, message]).toEqual(['expired', 'It is no longer asked. stopped by the owner']);
});

test('settings that decide otherwise than at their last reading are told, once for each change', async () => {
  const settings = defaultSettings();
  const holds = (deny: readonly string[], dir: string) =>
    settingsConfig(
      { ...settings, permissions: { ...settings.permissions, deny: [...deny] } },
      { dir, rules: null, sandbox: null },
    );
  let deny: readonly string[] = [];
  const changes: string[] = [];
  const read = noticingChanges(
    ({ dir }) => Promise.resolve(holds(deny, dir)),
    () => void changes.push(deny.join()),
  );
  const readIn = (dir: string) => read({ id: 'ses_1', dir, rules: null, sandbox: null });
  for (const now of [[], [], ['Bash'], ['Bash'], ['Bash', 'Read']]) {
    deny = now;
    await readIn('/a');
  }
  await readIn('/b');
  expect(changes).toEqual(['Bash', 'Bash,Read']);
});
