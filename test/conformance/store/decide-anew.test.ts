import { describe, expect } from 'vitest';
import type { Store } from '../../../electron/daemon/events/port.ts';
import { ask, beginCall, by, factsOf, log, newSession, terms, withCalls } from '../../store/support/acts.ts';
import { behaviour } from '../store-rig.ts';

const denyRule = { effect: 'deny', tool: 'Bash', subject: 'touch:*', by } as const;

/** A session whose only call waits for a person. */
async function waiting(store: Store, call = 'c1', kind: 'approval' | 'question' = 'approval') {
  const { session, step } = await withCalls(store, [call, 'Bash']);
  const { code, prompt } = await ask(store, session, step, call, { kind });
  return { session, step, code, prompt, call };
}

/** What people read about the prompts of a session that nobody decided. */
async function withdrawals(store: Store, session: string): Promise<string[]> {
  const events = await store.events(session, { after: 0, limit: 100 });
  return events.flatMap((event) => (event.type === 'prompt.withdrawn' ? [event.body.reason] : []));
}

// What a waiting call is decided by has changed: it is planned again, by the same runner as ever.
describe('a call that waits for a person', () => {
  behaviour('runs where the mode lets it by now, and its question is withdrawn', async ({ store }) => {
    const { session, step, prompt, call } = await waiting(store);
    await store.setMode(session, 'bypassPermissions');
    expect([await store.runnable(), (await store.prompt(prompt))?.state]).toEqual([[session], 'open']);
    expect((await store.nextStep(session, terms)).kind).toBe('calls');
    const decision = { behavior: 'allow', by: 'mode bypassPermissions', rule: null } as const;
    const { kind } = await store.beginCall({
      session,
      step,
      call,
      decision,
      terms,
      digest: 'd2',
      facts: factsOf('Bash'),
      plan: { do: 'grant' },
    });
    expect([kind, (await store.prompt(prompt))?.state, await withdrawals(store, session)]).toEqual([
      'granted',
      'withdrawn',
      ['mode bypassPermissions: it is allowed.'],
    ]);
  });

  behaviour('is denied where a rule denies it by now, and says which', async ({ store }) => {
    const { session, step, prompt, call } = await waiting(store);
    await store.addRule({ ...denyRule, session: null });
    expect((await store.nextStep(session, terms)).kind).toBe('calls');
    const decision = { behavior: 'deny', by: 'rule (always)', rule: 'Bash(touch:*)' } as const;
    await store.beginCall({
      session,
      step,
      call,
      decision,
      terms,
      digest: 'd1',
      facts: factsOf('Bash'),
      plan: { do: 'end', result: { outcome: 'denied', output: 'no' } },
    });
    expect([(await store.prompt(prompt))?.state, await withdrawals(store, session)]).toEqual([
      'withdrawn',
      ['rule (always) Bash(touch:*): it is denied.'],
    ]);
  });

  behaviour('waits on under the same code where it is still asked about', async ({ store }) => {
    const { session, step, code, prompt, call } = await waiting(store);
    await store.addRule({ ...denyRule, effect: 'ask', session: null });
    await store.nextStep(session, terms);
    const again = await ask(store, session, step, call, { rule: null, ruleSubject: null });
    const { rule, ruleSubject } = (await store.prompt(prompt)) ?? {};
    const opened = (await log(store, session)).filter((type) => type === 'prompt.opened').length;
    expect([again.code, rule, ruleSubject, opened]).toEqual([code, null, null, 1]);
    expect([await store.runnable(), (await store.nextStep(session, terms)).kind]).toEqual([[], 'waiting']);
  });

  behaviour('says that the mode changed where it is asked about under another code', async ({ store }) => {
    const { session, step, call } = await waiting(store);
    await store.setMode(session, 'acceptEdits');
    await store.nextStep(session, terms);
    await ask(store, session, step, call, {}, 'd2');
    expect(await withdrawals(store, session)).toEqual(['Asked again: the mode changed.']);
    expect(await store.runnable()).toEqual([]);
  });

  behaviour('is planned again after a crash before it was', async (rig) => {
    const { session } = await waiting(rig.store);
    const { id } = await rig.store.addRule({ ...denyRule, session: null });
    await (await rig.crash()).recoverAll();
    expect([await rig.store.runnable(), (await rig.store.nextStep(session, terms)).kind]).toEqual([
      [session],
      'calls',
    ]);
    await rig.store.workerLost(session, true);
    expect((await rig.store.nextStep(session, terms)).kind).toBe('calls');
    await (await rig.crash()).recoverAll();
    expect([await rig.store.runnable(), await rig.store.revokeRule(id)]).toEqual([[session], true]);
  });

  behaviour('is planned once more where something changed while it was planned', async ({ store }) => {
    const { session, step, call } = await waiting(store);
    await store.decideAnew();
    await store.nextStep(session, terms);
    await store.decideAnew();
    await ask(store, session, step, call);
    expect(await store.runnable()).toEqual([session]);
    await store.nextStep(session, terms);
    await ask(store, session, step, call);
    expect(await store.runnable()).toEqual([]);
  });

  behaviour('is touched by nothing that does not concern it', async ({ store }) => {
    const { session } = await waiting(store);
    await waiting(store, 'c2', 'question');
    const other = await newSession(store);
    await store.setMode(other, 'plan');
    await store.setMode(session, 'default');
    await store.addRule({ ...denyRule, session: other });
    const word = { digest: 'd', trusted: true, config: '', by };
    await store.setTrust({ ...word, dir: '/elsewhere' });
    expect(await store.runnable()).toEqual([]);
    await store.setTrust({ ...word, dir: '/home' });
    expect(await store.runnable()).toEqual([session]);
  });

  behaviour('goes by the verdict that a person gave first', async ({ store }) => {
    const { session, step, code, call } = await waiting(store);
    await store.addRule({ ...denyRule, session: null });
    const verdict = { behavior: 'allow', scope: 'once' } as const;
    expect((await store.claimPrompt({ code, verdict, by })).outcome).toBe('accepted');
    expect((await store.nextStep(session, terms)).kind).toBe('calls');
    expect(await beginCall(store, session, step, call, { do: 'grant' })).toEqual({ kind: 'granted' });
    expect(await withdrawals(store, session)).toEqual([]);
  });
});
