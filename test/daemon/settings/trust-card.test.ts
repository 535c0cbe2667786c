import { expect, it } from 'vitest';
import { ConfigRig } from './support/config-rig.ts';

it('the card says in words what the sandbox becomes and what of "env" is not taken; rules and doctor hear of it too', async () => {
  const rig = new ConfigRig();
  rig.write('.kairos/settings.json', {
    env: { MY_VAR: '1', set: { A: '1' } },
    sandbox: { mode: 'off', filesystem: { write: ['/data'] }, network: { allow: ['*'] }, autoAllow: true },
  });
  const [shown] = await rig.configs.executables(rig.repo);
  const { notices } = await rig.read();
  const notice = `${rig.repo}/.kairos/settings.json: "env" holds "MY_VAR" itself: ignored. Variables stand in env.set, as in {"env": {"set": {"NAME": "value"}}}.`;
  expect([shown?.config.split('\n'), notices.map((each) => each.notice)]).toEqual([
    [
      '.kairos/settings.json',
      '  env A=1',
      '  sandbox: mode off: commands run outside of it',
      '  sandbox: may reach *',
      '  sandbox: may write to /data',
      '  sandbox: what runs in it runs without a question',
      `  not taken: ${notice}`,
    ],
    [notice],
  ]);
});
