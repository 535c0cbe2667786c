import { describe, expect, it } from 'vitest';
import { leaseVerbs } from '../../../electron/daemon/sessions/lease-verbs.ts';
import { offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { sessionPolicy } from '../../../electron/daemon/sessions/session-terms.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { AnsweredBy } from '../../../shared/domain/prompts.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { sha256 } from '../../support/sim/sim-tools.ts';
import { commandFacts, DaemonRig, terms } from '../support/daemon-rig.ts';

const by: AnsweredBy = { surface: 'viewers', principal: 'owner', at: 0 };
const self = { home: '/home/.kairos', scratch: '/home/.kairos/scratch', words: [] };

function verbsOf(rig: DaemonRig, settings = defaultSettings()): ReturnType<typeof leaseVerbs> {
  const policy = sessionPolicy(settings, self);
  const environment = (): Promise<Record<string, string>> => Promise.resolve({});
  return leaseVerbs({
    store: rig.store,
    clock: rig.clock,
    sha256,
    terms: async () => terms,
    limits: terms.limits,
    models: offlineOnly,
    policy,
    environment,
  });
}

/** A session in a mode whose runner begins its first call; `between` happens after the decision was made. */
async function begin(
  mode: 'default' | 'bypassPermissions',
  between: (rig: DaemonRig, session: string) => Promise<unknown>,
) {
  const rig = new DaemonRig();
  const session = (await rig.session('a', { mode })).id;
  await rig.store.addRule({ effect: 'allow', tool: 'Write', subject: null, session: null, by });
  const facts = commandFacts('ls');
  const { step, call } = await rig.firstCall(session, facts);
  const { beginCall } = rig.store;
  rig.store.beginCall = async (input) => {
    await between(rig, session);
    return beginCall(input);
  };
  const verbs = verbsOf(rig);
  return verbs(session, 'beginCall', { step, call, facts, known: 0 }).then(
    (answer) => (answer as { kind: string }).kind,
    (error: { code: string }) => error.code,
  );
}

/** What a worker that says `sandboxed` is answered about a command in a session that wants its commands shut in. */
async function beginShutIn(
  wish: 'on' | 'required',
  change: Partial<CallFacts>,
  exclude: readonly string[] = [],
): Promise<unknown> {
  const rig = new DaemonRig();
  const session = (await rig.session('a', { mode: 'bypassPermissions', sandbox: wish })).id;
  await rig.store.addRule({ effect: 'allow', tool: 'Bash', subject: null, session: null, by });
  const words = [{ text: 'ls', kind: 'literal' as const }];
  const parts = [{ source: 'ls', assignments: [], words, redirects: [] }];
  const shell = { kind: 'parsed' as const, parts, redirects: [], odd: [] };
  const facts: CallFacts = { ...commandFacts('ls'), shell, ...change };
  const { step, call } = await rig.firstCall(session, facts);
  const settings = defaultSettings();
  const sandbox = { ...settings.sandbox, exclude: [...exclude] };
  const answer = await verbsOf(rig, { ...settings, sandbox })(session, 'beginCall', {
    step,
    call,
    facts,
    known: 0,
  });
  return 'result' in (answer as object) ? (answer as { result: unknown }).result : answer;
}

const nothing = (): Promise<void> => Promise.resolve();

describe('a call that is begun', () => {
  it.each([
    ['asks in mode default', 'default', nothing, 'asking'],
    ['is granted in mode bypassPermissions', 'bypassPermissions', nothing, 'granted'],
  ] as const)('%s', async (_title, mode, between, expected) => {
    expect(await begin(mode, between)).toBe(expected);
  });

  it.each([
    ['the mode', (rig: DaemonRig, session: string) => rig.store.setMode(session, 'default')],
    [
      'the rules',
      (rig: DaemonRig) =>
        rig.store.addRule({ effect: 'ask', tool: 'Bash', subject: null, session: null, by }),
    ],
    [
      'a rule that is taken back',
      async (rig: DaemonRig) => rig.store.revokeRule((await rig.store.rules(null))[0]?.id ?? ''),
    ],
  ])('is decided anew when %s changed meanwhile', async (_title, between) => {
    expect(await begin('bypassPermissions', between)).toBe('stale');
  });

  it('is not touched by a rule of another session', async () => {
    const elsewhere = async (rig: DaemonRig): Promise<void> => {
      const other = (await rig.session('b')).id;
      await rig.store.addRule({ effect: 'ask', tool: 'Bash', subject: null, session: other, by });
    };
    expect(await begin('bypassPermissions', elsewhere)).toBe('granted');
  });

  it('is told what a search must leave out, and nothing else is', async () => {
    const rig = new DaemonRig();
    const session = (await rig.session('a', { mode: 'bypassPermissions' })).id;
    for (const subject of ['//w/secrets/**', '*.pem'])
      await rig.store.addRule({ effect: 'deny', tool: 'Read', subject, session: null, by });
    const grep = { ...commandFacts(''), tool: 'Grep', access: 'read', class: 'pure', paths: ['/w'] } as const;
    const answerTo = async (facts: CallFacts): Promise<unknown> => {
      const { step, call } = await rig.firstCall(session, facts);
      const answer = await verbsOf(rig)(session, 'beginCall', { step, call, facts, known: 0 });
      await rig.store.interrupt(session, 'done');
      return answer;
    };
    const search: CallFacts = { ...grep, paths: [...grep.paths], subject: '/w' };
    expect([await answerTo(search), await answerTo(commandFacts('ls'))]).toEqual([
      { kind: 'granted', hidden: [['/w/secrets/**'], ['/w/**/*.pem']] },
      { kind: 'granted' },
    ]);
  });
});

describe('a command in a session that requires a sandbox', () => {
  const refused = {
    outcome: 'denied',
    output:
      'Not allowed: sandbox.mode required. This command was not to run in a sandbox; only sandbox.exclude of a person frees one from it.',
  };

  it.each<[string, Partial<CallFacts>, string[], unknown]>([
    ['runs when the worker shuts it in', { sandboxed: true }, [], { kind: 'granted' }],
    ['is denied when the worker says nothing about a sandbox', {}, [], refused],
    [
      'is denied when the worker has none, although nobody would have to be asked',
      { sandboxed: false },
      [],
      refused,
    ],
    ['runs outside when a person took it out', {}, ['Bash(ls)'], { kind: 'granted' }],
    ['is denied when a person took out another', {}, ['Bash(docker:*)'], refused],
    [
      'is denied when it cannot be read, whatever a person took out',
      { shell: { kind: 'unparsed', reason: 'odd' } },
      ['Bash(ls:*)'],
      refused,
    ],
    ['is denied when it is called no command', { access: 'read' }, [], refused],
    ['still tells the model what is wrong with its input', { access: 'person' }, [], { kind: 'granted' }],
  ])('%s', async (_title, change, exclude, expected) => {
    expect(await beginShutIn('required', change, exclude)).toEqual(expected);
  });

  it('is left to the mode where a sandbox is only switched on', async () => {
    expect(await beginShutIn('on', {})).toEqual({ kind: 'granted' });
  });
});
