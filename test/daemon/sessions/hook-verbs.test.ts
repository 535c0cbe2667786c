import { describe, expect, it } from 'vitest';
import { hookVerbs } from '../../../electron/daemon/sessions/hook-verbs.ts';
import { leaseVerbs } from '../../../electron/daemon/sessions/lease-verbs.ts';
import { offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { sessionPolicy, settingsConfig } from '../../../electron/daemon/sessions/session-terms.ts';
import type { HookRule } from '../../../shared/domain/hooks/rules.ts';
import type { HooksSection, SourcedHooks } from '../../../shared/domain/session-config.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { sha256 } from '../../support/sim/sim-tools.ts';
import { commandFacts, DaemonRig, terms } from '../support/daemon-rig.ts';

const self = { home: '/home/.kairos', scratch: '/home/.kairos/scratch', words: [] };
const hooks: HooksSection = { PermissionRequest: [{ hooks: [{ type: 'command', command: 'decide' }] }] };
const rule: HookRule = {
  event: 'PermissionRequest',
  matcher: null,
  command: 'decide',
  timeoutMs: 60_000,
  source: 'settings',
  dir: null,
  mayAllow: true,
};

/** A call that people are asked about, and what a hook's verdict on it comes to. */
async function verdict(
  said: { behavior?: 'allow' | 'deny'; rule?: HookRule; code?: string; meanwhile?: 'denied' },
  sourced: readonly SourcedHooks[] = [{ source: 'settings', dir: null, hooks }],
  ask: readonly string[] = [],
) {
  const rig = new DaemonRig();
  const session = (await rig.session('a')).id;
  const { store, clock } = rig;
  const facts = commandFacts('ls');
  const { step, call } = await rig.firstCall(session, facts);
  const settings = defaultSettings();
  const policy = sessionPolicy(
    { ...settings, permissions: { ...settings.permissions, ask: [...ask] } },
    self,
  );
  const config = async (row: Parameters<typeof policy.config>[0]) => ({
    ...settingsConfig(settings, row),
    ...(await policy.config(row)),
    hooks: sourced,
  });
  const ports = { store, clock, policy: { ...policy, config } };
  const own = {
    sha256,
    terms: async () => terms,
    limits: terms.limits,
    models: offlineOnly,
    environment: async () => ({}),
  };
  const begun = await leaseVerbs({ ...ports, ...own })(session, 'beginCall', { step, call, facts, known: 0 });
  const { code } = begun as { code: string };
  if (said.meanwhile !== undefined)
    await store.claimPrompt({
      code,
      verdict: { behavior: 'deny' },
      by: { surface: 'viewers', principal: 'owner', at: 0 },
    });
  const input = { call, code, behavior: 'allow' as const, reason: 'because', rule, ...said };
  const { refused } = await hookVerbs(ports).hookVerdict(session, input);
  const prompt = await store.prompt(code);
  return [refused, prompt?.state, prompt?.by?.principal ?? null];
}

describe('the verdict of a PermissionRequest hook', () => {
  it('counts once and by its name, where nothing but the mode asks', async () => {
    expect([await verdict({}), await verdict({ behavior: 'deny' })]).toEqual([
      [null, 'decided', 'hook (decide, user settings)'],
      [null, 'decided', 'hook (decide, user settings)'],
    ]);
  });

  it.each([
    ['allows what an ask rule asks about', {}, undefined, ['Bash'], 'What asks here asks a person.'],
    ['does not hold any more', {}, [], [], 'That hook does not hold any more.'],
    [
      'is not the hook that holds',
      { rule: { ...rule, timeoutMs: 1 } },
      undefined,
      [],
      'That hook does not hold any more.',
    ],
    [
      'is bound to another event',
      { rule: { ...rule, event: 'PreToolUse' as const } },
      undefined,
      [],
      'That hook does not hold any more.',
    ],
    [
      'holds for another tool',
      { rule: { ...rule, matcher: 'Edit' } },
      [
        {
          source: 'settings' as const,
          dir: null,
          hooks: {
            PermissionRequest: [
              { matcher: 'Edit', hooks: [{ type: 'command' as const, command: 'decide' }] },
            ],
          },
        },
      ],
      [],
      'That hook does not hold any more.',
    ],
    ['is of another question', { code: 'zzzzz' }, undefined, [], 'Nothing is asked about that call.'],
    [
      'allows for a project',
      { rule: { ...rule, source: 'project' as const, dir: '/p', mayAllow: false } },
      [{ source: 'project' as const, dir: '/p', hooks }],
      [],
      'Hooks of a project may not allow.',
    ],
  ])('is refused when it %s', async (_why, said, sourced, ask, refused) => {
    expect(await verdict(said, sourced, ask)).toEqual([refused, 'open', null]);
  });

  it('comes too late when a person was first', async () => {
    expect(await verdict({ meanwhile: 'denied' })).toEqual(['It is decided already.', 'decided', 'owner']);
  });

  it('may deny for a project', async () => {
    const project = { ...rule, source: 'project' as const, dir: '/p', mayAllow: false };
    const sourced = [{ source: 'project' as const, dir: '/p', hooks }];
    expect((await verdict({ behavior: 'deny', rule: project }, sourced))[0]).toBe(null);
  });
});

it('what a hook did is an event, its secrets masked', async () => {
  const rig = new DaemonRig();
  const session = (await rig.session('a')).id;
  const { store, clock } = rig;
  const policy = sessionPolicy(defaultSettings(), self);
  const ran = { hook: 'x, user settings', event: 'PreToolUse', outcome: 'failed' as const };
  await hookVerbs({ store, clock, policy }).hookRan(session, {
    ...ran,
    text: 'TOKEN=abcdefghij1234567890\nline',
  });
  const [event] = await store.events(session, { limit: 1 });
  expect([event?.type, event?.body]).toEqual(['hook.ran', { ...ran, text: 'TOKEN=[masked] line' }]);
});
