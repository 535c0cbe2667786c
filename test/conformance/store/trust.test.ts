import { describe, expect } from 'vitest';
import type { AskTrust } from '../../../electron/daemon/events/trust-port.ts';
import type { Store } from '../../../electron/daemon/events/port.ts';
import { allow, begin, by, log, newSession, say } from '../../store/support/acts.ts';
import { behaviour } from '../store-rig.ts';

const deny = { behavior: 'deny' } as const;

function question(session: string, digest = 'd1', dir = '/repo'): AskTrust {
  return { session, dir, digest, headline: 'Trust /repo?', preview: `config ${digest}`, lifeMs: 1_000 };
}

async function asked(store: Store, session: string, digest?: string) {
  const prompt = await store.askTrust(question(session, digest));
  if (!prompt) throw new Error('nothing was asked');
  return prompt;
}

async function states(store: Store): Promise<string[]> {
  const all = await store.prompts({ limit: 10 });
  return all.map(({ digest, state }) => `${digest} ${state}`).sort();
}

// Whether the own rules, hooks and variables of a directory hold (design 32).
describe('trust', () => {
  behaviour('is asked without a call, and the session goes on meanwhile', async ({ store, clock }) => {
    const session = await newSession(store, { name: 'a' });
    await say(store, session);
    const prompt = await asked(store, session);
    expect(await store.prompt(prompt.code)).toEqual({
      id: prompt.id,
      code: prompt.code,
      kind: 'trust',
      state: 'open',
      session,
      sessionName: 'a',
      call: null,
      tool: null,
      headline: 'Trust /repo?',
      description: '',
      preview: 'config d1',
      risks: null,
      reason: null,
      options: [],
      multiple: false,
      rule: null,
      ruleSubject: null,
      dir: '/repo',
      createdAt: clock.now(),
      expiresAt: clock.now() + 1_000,
      verdict: null,
      by: null,
      digest: 'd1',
      origin: { principal: 'kairos', trust: 'self', surface: 'daemon' },
    });
    expect(await store.runnable()).toEqual([session]);
    await begin(store, session);
    expect((await store.summaries())[0]?.openPrompts).toBe(1);
    expect(await store.nextDue()).toBe(clock.now() + 1_000);
    expect(await log(store, session)).toContain('prompt.opened');
  });

  behaviour('is asked once per digest, whatever session asks, also after a crash', async (rig) => {
    const [one, other] = [await newSession(rig.store), await newSession(rig.store)];
    await asked(rig.store, one);
    expect(await rig.store.askTrust(question(other))).toBeNull();
    const store = await rig.crash();
    expect(await store.askTrust(question(one))).toBeNull();
    expect(await states(store)).toEqual(['d1 open']);
  });

  behaviour('a changed configuration withdraws the question about the former one', async ({ store }) => {
    const [one, other] = [await newSession(store), await newSession(store)];
    await asked(store, one);
    await asked(store, other, 'd2');
    expect(await states(store)).toEqual(['d1 withdrawn', 'd2 open']);
    const summaries = await store.summaries();
    expect(summaries.map(({ openPrompts }) => openPrompts).sort()).toEqual([0, 1]);
  });

  behaviour('an answer is kept for that digest, with what was shown', async ({ store, clock }) => {
    const session = await newSession(store);
    const first = await asked(store, session);
    await store.claimPrompt({ code: first.code, verdict: allow, by });
    const word = { dir: '/repo', digest: 'd1', trusted: true, config: 'config d1', at: clock.now(), by };
    expect(await store.trust('/repo')).toEqual(word);
    expect(await store.askTrust(question(session))).toBeNull();
    const second = await asked(store, session, 'd2');
    expect(await store.trust('/repo')).toEqual(word);
    await store.claimPrompt({ code: second.code, verdict: deny, by });
    const refused = { ...word, digest: 'd2', trusted: false, config: 'config d2' };
    expect(await store.trusts()).toEqual([refused]);
    expect(await store.askTrust(question(session, 'd2'))).toBeNull();
    expect((await store.askTrust(question(session)))?.state).toBe('open');
  });

  behaviour('nobody answers: refused for that digest, and nobody is woken', async ({ store, clock }) => {
    const session = await newSession(store);
    const { id } = await asked(store, session);
    clock.advance(1_000);
    expect((await store.expirePrompts()).map((prompt) => prompt.id)).toEqual([id]);
    expect(await store.trust('/repo')).toMatchObject({ digest: 'd1', trusted: false, by: null });
    expect(await store.askTrust(question(session))).toBeNull();
    expect(await store.runnable()).toEqual([]);
  });

  behaviour('an interrupt leaves the question open, archiving withdraws it', async ({ store }) => {
    const session = await newSession(store);
    await say(store, session);
    await begin(store, session);
    await asked(store, session);
    await store.interrupt(session, 'stop');
    expect(await states(store)).toEqual(['d1 open']);
    await store.archive(session);
    expect(await states(store)).toEqual(['d1 withdrawn']);
    expect(await store.trust('/repo')).toBeNull();
    const next = await newSession(store);
    expect((await asked(store, next)).state).toBe('open');
  });

  behaviour('a word without a question closes the open one and can be taken back', async (rig) => {
    const { store } = rig;
    const session = await newSession(store);
    await asked(store, session);
    await store.setTrust({ dir: '/repo', digest: 'd1', trusted: true, config: 'c', by });
    expect(await states(store)).toEqual(['d1 withdrawn']);
    expect(await store.revokeTrust('/repo', by)).toBe(true);
    expect(await store.revokeTrust('/repo', by)).toBe(false);
    expect(await store.revokeTrust('/elsewhere', by)).toBe(false);
    expect(await (await rig.reopen()).trust('/repo')).toMatchObject({ digest: 'd1', trusted: false });
  });
});
