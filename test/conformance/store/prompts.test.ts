import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import { describe, expect } from 'vitest';
import {
  allow,
  ask,
  beginCall,
  by,
  endCall,
  log,
  newSession,
  question,
  say,
  terms,
  withCalls,
} from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

// Questions to people: asked once, decided once.
describe('prompts', () => {
  behaviour(
    'asking stores the whole question, opens it, and the session waits for a person',
    async ({ store, clock }) => {
      const { session, step } = await withCalls(store, ['c1', 'Bash']);
      const { code, prompt } = await ask(store, session, step, 'c1');
      const { ruleSubject, lifeMs, ...shown } = question;
      expect(await store.prompt(code)).toEqual({
        ...shown,
        id: prompt,
        code,
        state: 'open',
        session,
        sessionName: null,
        call: 'c1',
        tool: 'Bash',
        createdAt: clock.now(),
        expiresAt: clock.now() + lifeMs,
        verdict: null,
        by: null,
        digest: 'd1',
        ruleSubject,
        risks: null,
        reason: null,
        origin: { principal: 'owner', trust: 'owner', surface: 'cli' },
      });
      expect(code).toMatch(/^[a-km-z]{5}$/);
      expect(await store.nextStep(session, terms)).toEqual({ kind: 'waiting', call: 'c1' });
      expect(await store.runnable()).toEqual([]);
      expect(await store.nextDue()).toBe(clock.now() + lifeMs);
      expect((await store.summaries())[0]?.openPrompts).toBe(1);
      expect((await log(store, session)).at(-1)).toBe('prompt.opened');
    },
  );

  behaviour('asking again while it is open gives the same code, also after a crash', async (rig) => {
    const { session, step } = await withCalls(rig.store, ['c1', 'Bash']);
    const first = await ask(rig.store, session, step, 'c1');
    const store = await rig.crash();
    await store.recoverAll();
    expect(await ask(store, session, step, 'c1')).toEqual(first);
    expect((await log(store, session)).filter((type) => type === 'prompt.opened')).toHaveLength(1);
  });

  behaviour('changed facts ask anew under another code', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    const first = await ask(store, session, step, 'c1');
    const second = await ask(store, session, step, 'c1', {}, 'd2');
    expect(second.code).not.toBe(first.code);
    expect((await store.prompt(first.prompt))?.state).toBe('withdrawn');
    expect((await store.claimPrompt({ code: first.code, verdict: allow, by })).outcome).toBe('expired');
    expect((await store.summaries())[0]?.openPrompts).toBe(1);
  });

  behaviour('a message does not run a session that waits for a person', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    await ask(store, session, step, 'c1');
    await say(store, session, 'hello?');
    expect(await store.runnable()).toEqual([]);
    expect((await store.nextStep(session, terms)).kind).toBe('waiting');
    expect((await store.summaries())[0]?.pending).toBe(1);
  });

  behaviour('the first verdict wins, and its call goes on', async ({ store, notices }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    const { code, prompt } = await ask(store, session, step, 'c1');
    const deny = { behavior: 'deny' } as const;
    const [first, second] = await Promise.all([
      store.claimPrompt({ code, verdict: allow, by }),
      store.claimPrompt({ code, verdict: deny, by: { ...by, surface: 'phone' } }),
    ]);
    expect([first.outcome, second.outcome, second.prompt?.by]).toEqual(['accepted', 'already_answered', by]);
    expect(notices.at(-1)).toMatchObject({ work: true, prompts: new Set([prompt]) });
    expect(await store.runnable()).toEqual([session]);
    expect(await store.nextStep(session, terms)).toMatchObject({
      kind: 'calls',
      calls: [{ id: 'c1', prompt }],
    });
    expect(await beginCall(store, session, step, 'c1', { do: 'grant' })).toEqual({ kind: 'granted' });
    expect((await endCall(store, session, 'c1'))?.kind).toBe('request');
  });

  behaviour('an unknown code is unknown, an id works like a code', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    const { prompt } = await ask(store, session, step, 'c1');
    expect(await store.claimPrompt({ code: 'zzzzz', verdict: allow, by })).toEqual({
      outcome: 'unknown',
      prompt: null,
    });
    expect((await store.claimPrompt({ code: prompt, verdict: allow, by })).outcome).toBe('accepted');
  });

  behaviour('an approval takes no answer, a question no allow', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash'], ['c2', 'AskUserQuestion']);
    const approval = await ask(store, session, step, 'c1');
    const asked = await ask(store, session, step, 'c2', { kind: 'question' });
    const answer = { behavior: 'answer', text: 'blue' } as const;
    expect(await codeOf(store.claimPrompt({ code: approval.code, verdict: answer, by }))).toBe('bad_input');
    expect(await codeOf(store.claimPrompt({ code: asked.code, verdict: allow, by }))).toBe('bad_input');
    expect(await store.claimPrompt({ code: asked.code, verdict: answer, by })).toMatchObject({
      outcome: 'accepted',
      prompt: { verdict: answer, state: 'decided' },
    });
  });

  behaviour(
    'an approved plan ends plan mode in the commit of its verdict; a denied one and a mode set meanwhile do not',
    async ({ store }) => {
      const modeAfter = async (
        name: string,
        verdict: Parameters<typeof store.claimPrompt>[0]['verdict'],
        meanwhile: PermissionMode = 'plan',
      ): Promise<PermissionMode | undefined> => {
        const { session, step } = await withCalls(store, [name, 'ExitPlanMode']);
        await store.setMode(session, 'plan');
        const { code } = await ask(store, session, step, name, { kind: 'plan' });
        await store.setMode(session, meanwhile);
        await store.claimPrompt({ code, verdict, by });
        return (await store.session(session))?.mode;
      };
      expect([
        await modeAfter('c1', { behavior: 'allow', scope: 'once' }),
        await modeAfter('c2', { behavior: 'allow', scope: 'session' }),
        await modeAfter('c3', { behavior: 'deny' }),
        await modeAfter('c4', { behavior: 'allow', scope: 'session' }, 'dontAsk'),
      ]).toEqual(['default', 'acceptEdits', 'plan', 'dontAsk']);
      expect(await store.allRules()).toEqual([]);
    },
  );

  behaviour('always and session store their rule in the same commit, once', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash'], ['c2', 'Bash'], ['c3', 'Bash']);
    const codes = [];
    for (const call of ['c1', 'c2', 'c3']) codes.push((await ask(store, session, step, call, {}, call)).code);
    const [one = '', two = '', three = ''] = codes;
    await store.claimPrompt({ code: one, verdict: { behavior: 'allow', scope: 'session' }, by });
    await store.claimPrompt({ code: two, verdict: { behavior: 'allow', scope: 'always' }, by });
    await store.claimPrompt({ code: three, verdict: { behavior: 'allow', scope: 'always' }, by });
    const rule = { effect: 'allow', tool: 'Bash', subject: 'ls', by };
    expect(await store.rules(session)).toMatchObject([
      { ...rule, session, source: 'session' },
      { ...rule, session: null, source: 'always' },
    ]);
    expect(await store.rules('ses_other')).toMatchObject([{ source: 'always' }]);
    expect(await store.allRules()).toMatchObject([{ session }, { session: null }]);
  });

  behaviour(
    'a rule of a question about the sandbox stands beside the one without it, and says so',
    async (rig) => {
      const { session, step } = await withCalls(rig.store, ['c1', 'Bash'], ['c2', 'Bash']);
      const shutIn = { tool: 'Bash', subject: 'ls', sandboxed: true } as const;
      const first = await ask(rig.store, session, step, 'c1', { ruleSubject: shutIn }, 'd1');
      const second = await ask(rig.store, session, step, 'c2', {}, 'd2');
      const verdict = { behavior: 'allow', scope: 'always' } as const;
      for (const { code } of [first, second]) await rig.store.claimPrompt({ code, verdict, by });
      const store = await rig.reopen();
      expect((await store.allRules()).map(({ sandboxed, subject }) => [subject, sandboxed])).toEqual([
        ['ls', true],
        ['ls', undefined],
      ]);
      expect(await store.rules(session)).toEqual(await store.allRules());
    },
  );

  behaviour('a rule can be revoked once', async ({ store }) => {
    const rule = await store.addRule({
      effect: 'deny',
      tool: 'Bash',
      subject: null,
      session: null,
      by: null,
    });
    expect(
      await store.addRule({ effect: 'deny', tool: 'Bash', subject: null, session: null, by: null }),
    ).toEqual(rule);
    expect([await store.revokeRule(rule.id), await store.revokeRule(rule.id)]).toEqual([true, false]);
    expect(await store.rules(null)).toEqual([]);
  });

  behaviour('a prompt whose time is over expires, and its call goes on', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    const { code, prompt } = await ask(store, session, step, 'c1');
    expect(await store.expirePrompts()).toEqual([]);
    clock.advance(question.lifeMs);
    expect(await store.nextDue()).toBe(clock.now());
    expect(await store.expirePrompts()).toMatchObject([{ id: prompt, state: 'expired' }]);
    expect(await store.expirePrompts()).toEqual([]);
    expect((await store.claimPrompt({ code, verdict: allow, by })).outcome).toBe('expired');
    expect(await store.runnable()).toEqual([session]);
    expect((await store.nextStep(session, terms)).kind).toBe('calls');
    expect((await log(store, session)).filter((type) => type === 'prompt.expired')).toHaveLength(1);
  });

  behaviour('a verdict a moment too late finds it expired', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    const { code } = await ask(store, session, step, 'c1');
    clock.advance(question.lifeMs);
    expect(await store.claimPrompt({ code, verdict: allow, by })).toMatchObject({
      outcome: 'expired',
      prompt: { state: 'expired' },
    });
    expect(await store.runnable()).toEqual([session]);
  });

  behaviour('a call that may run meanwhile withdraws its question', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    const { prompt } = await ask(store, session, step, 'c1');
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    expect((await store.prompt(prompt))?.state).toBe('withdrawn');
    expect((await store.summaries())[0]?.openPrompts).toBe(0);
  });

  behaviour('prompts are listed newest first, by state and session', async ({ store }) => {
    const one = await withCalls(store, ['c1', 'Bash'], ['c2', 'Bash']);
    const two = await withCalls(store, ['d1', 'Bash']);
    const first = await ask(store, one.session, one.step, 'c1');
    const second = await ask(store, one.session, one.step, 'c2');
    const third = await ask(store, two.session, two.step, 'd1');
    await store.claimPrompt({ code: first.code, verdict: allow, by });
    const ids = async (filter: Parameters<typeof store.prompts>[0]): Promise<string[]> =>
      (await store.prompts(filter)).map(({ id }) => id);
    expect(await ids({ limit: 10 })).toEqual([third.prompt, second.prompt, first.prompt]);
    expect(await ids({ limit: 1, state: 'open' })).toEqual([third.prompt]);
    expect(await ids({ limit: 10, state: 'open', session: one.session })).toEqual([second.prompt]);
    expect(await ids({ limit: 10, state: 'closed' })).toEqual([first.prompt]);
  });

  behaviour('offers remember what each surface showed and was told', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    const { prompt } = await ask(store, session, step, 'c1');
    await store.recordOffer({ prompt, surface: 'cli', shown: null, externalId: null });
    await store.recordOffer({ prompt, surface: 'phone', shown: 10, externalId: 'x' });
    await store.recordOffer({ prompt, surface: 'phone', shown: null, externalId: null });
    await store.settleOffer(prompt, 'cli');
    await store.settleOffer(prompt, 'nowhere');
    const offeredAt = clock.now();
    const phone = { prompt, surface: 'phone', offeredAt, shown: 10, settledTold: false, externalId: 'x' };
    expect(await store.offers({ surface: 'phone' })).toEqual([phone]);
    expect(await store.offers({ prompt, untold: true })).toEqual([phone]);
    expect((await store.offers({ prompt })).map(({ settledTold }) => settledTold)).toEqual([true, false]);
    const nowhere = store.recordOffer({ prompt: 'pmt_x', surface: 'cli', shown: null, externalId: null });
    expect(await codeOf(nowhere)).toBe('not_found');
  });

  behaviour('an input of 1 MB is asked about whole', async (rig) => {
    const { session, step } = await withCalls(rig.store, ['c1', 'Write']);
    const preview = '\u4e2d'.repeat(400_000);
    const { code } = await ask(rig.store, session, step, 'c1', { preview });
    const store = await rig.reopen();
    expect((await store.prompt(code))?.preview === preview).toBe(true);
  });

  behaviour('a verdict for a paused session lets its call run', async ({ store }) => {
    const session = await newSession(store);
    await say(store, session);
    const { session: other, step } = await withCalls(store, ['c1', 'Bash']);
    const { code } = await ask(store, other, step, 'c1');
    await store.setPausedAll(true);
    await store.claimPrompt({ code, verdict: allow, by });
    expect(await store.runnable()).toContain(other);
    expect((await store.nextStep(other, terms)).kind).toBe('calls');
  });
});
