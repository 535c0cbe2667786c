import { expect, it } from 'vitest';
import { ConfigWatch } from '../../../electron/daemon/settings/config-watch.ts';
import { SessionConfigs } from '../../../electron/daemon/settings/session-config.ts';
import { sha256 } from '../../support/sim/sim-tools.ts';
import { ConfigRig, ruleLines } from './support/config-rig.ts';

const small = { permissions: { allow: ['Read'], deny: ['Bash(rm:*)'] } };
const wide = { permissions: { allow: ['Read', 'Bash(*)'] } };
const strict = { permissions: { allow: [], deny: ['Bash(rm:*)', 'Edit'] } };
const smallRules = ['settings deny Bash(rm:*)', 'settings allow Read'];
const wideRules = ['settings allow Read', 'settings allow Bash(*)'];
const strictRules = ['settings deny Bash(rm:*)', 'settings deny Edit'];
const by = { surface: 'viewers', principal: 'owner', at: 0 };

class OwnRig extends ConfigRig {
  current = this.configs;

  async rules(settings?: unknown): Promise<readonly string[]> {
    if (settings !== undefined) this.write(this.userFile, settings);
    return ruleLines(await this.current.read({ dir: this.repo, rules: null, sandbox: null }));
  }

  /** The daemon begins anew on the same store. */
  restart(): void {
    const { store, clock, managedFile, userFile, home } = this;
    this.current = new SessionConfigs({
      store,
      clock,
      sha256,
      managedFile,
      userFile,
      home,
      personHome: this.root,
    });
  }

  began(task = 't'): void {
    this.current.own.began({ session: 's', task });
  }

  /** As the verbs of a lease do it. */
  async ended(task = 't'): Promise<void> {
    if (this.current.own.ended({ session: 's', task })) await this.rules();
  }
}

/** A command is under way as the store says it, too. */
function running(rig: OwnRig): void {
  const row = { tasks: { running: [{ id: 't' }] } };
  const { store } = rig;
  const session = store.session.bind(store);
  Object.assign(store, { session: (id: string) => (id === 's' ? Promise.resolve(row) : session(id)) });
}

async function ready(): Promise<OwnRig> {
  const rig = new OwnRig();
  running(rig);
  expect(await rig.rules(small)).toEqual(smallRules);
  return rig;
}

it('takes what changes while nothing runs at once, also after a command that ended', async () => {
  const rig = await ready();
  const first = await rig.rules(wide);
  await rig.rules(small);
  rig.began();
  await rig.ended();
  expect([first, await rig.rules(wide)]).toEqual([wideRules, wideRules]);
});

it('holds back what changed while a command ran, also when it is read by others meanwhile; what is stricter holds', async () => {
  const rig = await ready();
  rig.began();
  const meanwhile = await rig.rules();
  rig.write(rig.userFile, wide);
  await rig.ended();
  const after = await rig.rules();
  const tight = await rig.rules(strict);
  const back = await rig.rules(small);
  expect({ meanwhile, after, tight, back }).toEqual({
    meanwhile: smallRules,
    after: smallRules,
    tight: strictRules,
    // Stricter was accepted meanwhile, and nothing ran since then.
    back: smallRules,
  });
});

it('holds it back across a restart, until the owner trusts exactly that', async () => {
  const rig = await ready();
  rig.current.own.ran();
  const held = await rig.rules(wide);
  rig.restart();
  const restarted = await rig.rules();
  const [found] = await rig.current.executables(rig.repo);
  if (!found) throw new Error('nothing is held');
  await rig.store.setTrust({ ...found, trusted: true, by });
  expect({
    held,
    restarted,
    dir: found.dir,
    config: found.config,
    before: found.before,
    after: await rig.rules(),
  }).toEqual({
    held: smallRules,
    restarted: smallRules,
    dir: rig.home,
    config: 'settings.json\n  allow Read\n  allow Bash(*)',
    before: 'settings.json\n  deny Bash(rm:*)\n  allow Read',
    after: wideRules,
  });
  rig.restart();
  expect([await rig.rules(), await rig.current.executables(rig.repo)]).toEqual([wideRules, []]);
});

it('takes what changed while Kairos was stopped, unless a background task ran when it ended', async () => {
  const rig = await ready();
  rig.restart();
  const edited = await rig.rules(wide);
  await rig.rules(small);
  rig.restart();
  const lost = [{ session: { tasks: { running: [{ id: 't' }] }, step: null } }];
  Object.assign(rig.store, { summaries: () => Promise.resolve(lost) });
  expect([edited, await rig.rules(wide)]).toEqual([wideRules, smallRules]);
});

it('makes everything ask while the file is broken, and does not take what stands in it afterwards', async () => {
  const rig = await ready();
  rig.began();
  const broken = await rig.rules('{');
  const mended = await rig.rules(wide);
  expect([broken, mended]).toEqual([['settings ask *'], smallRules]);
});

it('asks the owner once with what changed, says so in the log and as a problem, and stops saying so', async () => {
  const rig = await ready();
  const { store, log, problems } = rig;
  const watch = new ConfigWatch({ store, log, problems, read: rig.current.read, promptLifeMs: 60_000 });
  const session = await rig.session('a', { dir: rig.repo });
  await watch.configOf(session);
  rig.current.own.ran();
  rig.write(rig.userFile, wide);
  await watch.configOf(session);
  await rig.settle();
  await watch.configOf(session);
  await rig.settle();
  const open = await store.prompts({ state: 'open', limit: 10 });
  const held = rig.problemCodes;
  const verdict = { behavior: 'allow', scope: 'once' } as const;
  for (const { id } of open) await store.claimPrompt({ code: id, verdict, by });
  const after = ruleLines(await watch.configOf(session));
  expect({
    open: open.map(({ kind, dir, preview }) => [kind, dir, preview.split('\n').slice(-3)]),
    held,
    after,
    problems: rig.problemCodes,
    logged: rig.logged,
  }).toEqual({
    open: [
      [
        'trust',
        rig.home,
        ['Changed since you decided on it the last time:', '  -   deny Bash(rm:*)', '  +   allow Bash(*)'],
      ],
    ],
    held: ['settings_held'],
    after: wideRules,
    problems: [],
    logged: [
      expect.stringContaining('does not hold until the owner trusts it'),
      expect.stringContaining('lets more run than before'),
    ],
  });
});
