import { expect, it } from 'vitest';
import { PromptBroker } from '../../../electron/daemon/prompts/broker.ts';
import { viewersSurface } from '../../../electron/daemon/prompts/viewers-surface.ts';
import { ConfigWatch } from '../../../electron/daemon/settings/config-watch.ts';
import { FakeSurface } from '../support/fake-surface.ts';
import { ConfigRig, ruleLines } from './support/config-rig.ts';

const settings = '.kairos/settings.json';

function watchOf(rig: ConfigRig): ConfigWatch {
  const { store, log, problems, configs } = rig;
  return new ConfigWatch({ store, log, problems, read: configs.read, promptLifeMs: 60_000 });
}

it('a session that begins to work in a directory with rules of its own asks the owner once, and works on', async () => {
  const rig = new ConfigRig();
  rig.write(settings, { permissions: { allow: ['Bash(npm test)'], deny: ['Read'] } });
  const watch = watchOf(rig);
  const broker = new PromptBroker(rig);
  const phone = new FakeSurface('phone', { kinds: ['approval', 'trust'] });
  await broker.register(viewersSurface);
  await broker.register(phone);
  const session = await rig.session('a', { dir: rig.repo });
  const before = await Promise.all([1, 2, 3].map(() => watch.configOf(session)));
  await rig.settle();
  const open = await rig.store.prompts({ state: 'open', limit: 10 });
  const shown = open.map(({ kind, headline, preview, dir, tool }) => ({
    kind,
    headline,
    preview,
    dir,
    tool,
  }));
  const refused = await broker.verdict(
    open[0]?.code ?? '',
    { behavior: 'allow', scope: 'once' },
    { surface: 'viewers', principal: 'tablet', at: 1 },
    false,
  );
  const answer = await broker.verdict(
    open[0]?.code ?? '',
    { behavior: 'allow', scope: 'once' },
    { surface: 'viewers', principal: 'owner', at: 1 },
    true,
  );
  const after = await watch.configOf(session);
  expect({
    before: before.map(ruleLines),
    shown,
    phone: phone.shown,
    refused: refused.outcome,
    answer,
    after: ruleLines(after),
  }).toEqual({
    before: Array(3).fill(['project deny Read']),
    shown: [
      {
        kind: 'trust',
        headline: expect.stringContaining('Trust "repo"?'),
        preview: '.kairos/settings.json\n  allow Bash(npm test)',
        dir: rig.repo,
        tool: null,
      },
    ],
    phone: [],
    refused: 'not_allowed',
    answer: {
      outcome: 'accepted',
      by: 'owner',
      message: `Trusted: what ${rig.repo} brings holds from now on, until it changes.`,
    },
    after: ['project deny Read', 'project allow Bash(npm test)'],
  });
});

it('a changed directory is asked about again, with what changed', async () => {
  const rig = new ConfigRig();
  const watch = watchOf(rig);
  rig.write(settings, { permissions: { allow: ['Bash(npm test)', 'Read'] } });
  await rig.decide(rig.repo);
  rig.write(settings, {
    permissions: { allow: ['Read', 'Bash(curl x | sh)'] },
    env: { set: { API_TOKEN: 'hunter2hunter2', NOTE: 'a\nb\u202e' } },
  });
  await watch.configOf(await rig.session('a', { dir: rig.repo }));
  await rig.settle();
  const [prompt] = await rig.store.prompts({ state: 'open', limit: 1 });
  expect(prompt?.preview.split('\n')).toEqual([
    '.kairos/settings.json',
    '  allow Read',
    '  allow Bash(curl x | sh)',
    '  env API_TOKEN=[masked]',
    '  env NOTE=a\\nb<U+202E>',
    'Changed since you decided on it the last time:',
    '  -   allow Bash(npm test)',
    '  +   allow Bash(curl x | sh)',
    '  +   env API_TOKEN=[masked]',
    '  +   env NOTE=a\\nb<U+202E>',
  ]);
});

it('what is wrong with a file is a problem until it is mended', async () => {
  const rig = new ConfigRig();
  const watch = watchOf(rig);
  const session = await rig.session('a', { dir: rig.repo });
  const other = await rig.session('b', { dir: rig.root });
  const problems = async (): Promise<string[]> => {
    await watch.configOf(session);
    await watch.configOf(other);
    return rig.problems.all().map(({ message }) => message);
  };
  rig.write(rig.managedFile, '{');
  watch.tellCommon(await rig.configs.common());
  const atStart = rig.problems.all().map(({ message }) => message);
  const path = rig.write(settings, '[]');
  const both = await problems();
  rig.write(rig.managedFile, '{}');
  const one = await problems();
  rig.write(settings, '{}');
  const managed = expect.stringContaining(`${rig.managedFile} is not valid JSON`);
  const project = `${path} is not a JSON object: every tool asks until it is mended, but those that keep to the conversation or stop a background task.`;
  expect([atStart, both, one, await problems()]).toEqual([[managed], [managed, project], [project], []]);
});

it('no problem gives away a secret of a rule, and none hides in it', async () => {
  const rig = new ConfigRig();
  rig.write(settings, { permissions: { deny: ['Bush(TOKEN=canary7f3a9c9 x\u202e)'] } });
  await watchOf(rig).configOf(await rig.session('a', { dir: rig.repo }));
  const [problem] = rig.problems.all();
  expect(JSON.stringify(problem)).not.toMatch(/canary|\u202e/);
  expect(problem?.message).toContain('Bush(TOKEN=[masked] x<U+202E>)');
});

it('what is written into the settings of the person while Kairos runs and lets more run stands in the log, once', async () => {
  const rig = new ConfigRig();
  rig.write(rig.userFile, { permissions: { allow: ['Bash(ls)'] } });
  const noted: unknown[] = [];
  const { store, problems, configs } = rig;
  const log = { ...rig.log, warn: (fields: object, text: string) => void noted.push([fields, text]) };
  const watch = new ConfigWatch({ store, log, problems, read: configs.read, promptLifeMs: 60_000 });
  watch.tellCommon(await configs.common());
  const session = await rig.session('a', { dir: rig.repo });
  await watch.configOf(session);
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: './x --token abcdefghij12345678' }] }] };
  rig.write(rig.userFile, { permissions: { allow: ['Bash(ls)', 'Bash'] }, hooks });
  await watch.configOf(session);
  await watch.configOf(session);
  rig.write(rig.userFile, { permissions: { allow: ['Bash(ls)'] } });
  await watch.configOf(session);
  expect(noted).toEqual([
    [
      { added: ['allow Bash', 'hook PreToolUse: ./x --token [masked]'] },
      'settings.json lets more run than before',
    ],
  ]);
});

it('looked at once more it tells what files say now: what is mended is gone, what broke meanwhile is there', async () => {
  const rig = new ConfigRig();
  const watch = watchOf(rig);
  const session = await rig.session('a', { dir: rig.repo });
  rig.write(settings, { hooks: { Bogus: [] } });
  await watch.configOf(session);
  const seen = async (): Promise<string[]> => {
    await watch.recheck();
    watch.tellCommon(await rig.configs.common());
    return rig.problems.all().map(({ message }) => message);
  };
  const before = await seen();
  rig.write(settings, {});
  rig.write(rig.userFile, { permissions: { deny: ['Bash(a'] } });
  const after = await seen();
  rig.write(rig.userFile, '{ "permissions"');
  const broken = await seen();
  rig.write(rig.userFile, {});
  expect([before, after.length, after[0], broken, await seen()]).toEqual([
    [expect.stringContaining('there is no event "Bogus"')],
    1,
    expect.stringContaining('Bash(a'),
    [expect.stringContaining('is not valid JSON')],
    [],
  ]);
});
