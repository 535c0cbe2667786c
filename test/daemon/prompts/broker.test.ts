import { describe, expect, it } from 'vitest';
import { PromptBroker } from '../../../electron/daemon/prompts/broker.ts';
import { viewersSurface } from '../../../electron/daemon/prompts/viewers-surface.ts';
import type { AnsweredBy, Verdict } from '../../../shared/domain/prompts.ts';
import { DaemonRig } from '../support/daemon-rig.ts';
import { FakeSurface } from '../support/fake-surface.ts';

const once: Verdict = { behavior: 'allow', scope: 'once' };
const deny: Verdict = { behavior: 'deny', reason: 'no' };
const by = (surface: string, principal = 'somebody'): AnsweredBy => ({ surface, principal, at: 1 });

async function setting(): Promise<{
  rig: DaemonRig;
  broker: PromptBroker;
  phone: FakeSurface;
  session: string;
}> {
  const rig = new DaemonRig();
  const broker = new PromptBroker(rig);
  const phone = new FakeSurface();
  await broker.register(viewersSurface);
  await broker.register(phone);
  const session = (await rig.session('a')).id;
  return { rig, broker, phone, session };
}

describe('a prompt', () => {
  it('is offered on every surface, and each is told once how it ended', async () => {
    const { rig, broker, phone, session } = await setting();
    const { prompt, code } = await rig.ask(session, 'ls');
    await rig.settle();
    const offers = await rig.store.offers({ prompt });
    expect(offers.map(({ surface, shown, settledTold }) => ({ surface, shown, settledTold }))).toEqual([
      { surface: 'viewers', shown: 2, settledTold: false },
      { surface: 'phone', shown: 2, settledTold: false },
    ]);
    expect(await broker.verdict(code, once, by('viewers', 'owner'), true)).toEqual({
      outcome: 'accepted',
      by: 'owner',
      message: 'Allowed once: Bash: ls',
    });
    await rig.settle();
    expect(phone.told).toEqual([`${prompt} decided`]);
    expect((await rig.store.offers({ prompt })).every((offer) => offer.settledTold)).toBe(true);
  });

  it.each(['session', 'always'] as const)('tells the rule that is kept with scope %s', async (scope) => {
    const { rig, broker, session } = await setting();
    const { code } = await rig.ask(session, 'ls');
    await rig.settle();
    const { message } = await broker.verdict(
      code,
      { behavior: 'allow', scope },
      by('viewers', 'owner'),
      true,
    );
    const how = scope === 'always' ? 'always' : 'in this session';
    expect(message).toBe(`Allowed ${how}, by the rule Bash(ls).`);
  });

  it('goes to the first of two surfaces that answer in the same instant', async () => {
    const { rig, broker, session } = await setting();
    const { code } = await rig.ask(session, 'ls');
    await rig.settle();
    const answers = await Promise.all([
      broker.verdict(code, once, by('phone'), false),
      broker.verdict(code, deny, by('viewers', 'owner'), true),
    ]);
    expect(answers.map((answer) => [answer.outcome, answer.by])).toEqual([
      ['accepted', 'somebody (phone)'],
      ['already_answered', 'somebody (phone)'],
    ]);
    expect(await rig.types(session)).toContain('prompt.decided');
  });

  it.each([
    ['an answer', { behavior: 'answer', text: '\u0001'.repeat(10_000) }],
    ['a reason', { behavior: 'deny', reason: 'x'.repeat(40_000) }],
  ] as const)('refuses %s that no frame could carry, and stays open', async (_title, verdict) => {
    const { rig, broker, session } = await setting();
    const kind = verdict.behavior === 'answer' ? 'question' : 'approval';
    const { prompt, code } = await rig.ask(session, 'ls', { kind });
    await rig.settle();
    const answer = await broker.verdict(code, verdict, by('viewers', 'owner'), true);
    expect([answer.outcome, (await rig.store.prompt(prompt))?.state]).toEqual(['not_allowed', 'open']);
  });

  it('that nobody can ask is denied at once', async () => {
    const rig = new DaemonRig();
    const broker = new PromptBroker(rig);
    await broker.register(new FakeSurface('phone', { kinds: ['question'] }));
    const session = (await rig.session('a')).id;
    const { prompt } = await rig.ask(session, 'ls');
    await rig.settle();
    expect(await rig.store.prompt(prompt)).toMatchObject({
      state: 'decided',
      verdict: { behavior: 'deny', reason: 'No surface is there that could ask the person.' },
      by: { surface: 'daemon' },
    });
  });

  it('answered in time counts, answered late is expired', async () => {
    const { rig, broker, session } = await setting();
    const { code } = await rig.ask(session, 'ls', { lifeMs: 1000 });
    await rig.pass(1001);
    expect((await broker.verdict(code, once, by('viewers', 'owner'), true)).outcome).toBe('expired');
  });

  it.each([
    ['upper-case letters', (code: string) => code.toUpperCase()],
    ['the prompt id', (_code: string, prompt: string) => prompt],
  ])('is found by %s', async (_title, name) => {
    const { rig, broker, session } = await setting();
    const { code, prompt } = await rig.ask(session, 'ls');
    await rig.settle();
    expect((await broker.verdict(name(code, prompt), once, by('viewers', 'owner'), true)).outcome).toBe(
      'accepted',
    );
  });
});

describe('a surface with little room', () => {
  it('shows head and tail of a long preview and may only deny it', async () => {
    const { rig, broker, phone, session } = await setting();
    const { code } = await rig.ask(session, `echo ${'x'.repeat(400)} end`);
    await rig.settle();
    expect(phone.shown[0]).toMatchObject({ whole: false });
    expect(phone.shown[0]?.text).toHaveLength(200);
    expect(await broker.verdict(code, once, by('phone'), false)).toMatchObject({ outcome: 'not_allowed' });
    expect(await broker.verdict(code, deny, by('phone'), false)).toMatchObject({ outcome: 'accepted' });
  });

  it('has no say about a prompt that it cannot show', async () => {
    const rig = new DaemonRig();
    const broker = new PromptBroker(rig);
    await broker.register(viewersSurface);
    await broker.register(new FakeSurface('phone', { kinds: ['question'] }));
    const { code } = await rig.ask((await rig.session('a')).id, 'ls');
    await rig.settle();
    expect(await broker.verdict(code, deny, by('phone'), false)).toMatchObject({ outcome: 'not_allowed' });
    expect(await broker.verdict(code, deny, by('nowhere'), true)).toMatchObject({ outcome: 'not_allowed' });
  });
});

describe('wrong codes', () => {
  it('lock a surface that does not know its senders, for all of them, until it starts anew', async () => {
    const { rig, broker, phone, session } = await setting();
    const { code } = await rig.ask(session, 'ls');
    await rig.settle();
    for (let guess = 0; guess < 5; guess += 1) {
      expect(
        (await broker.verdict(`zzzz${'abcde'.charAt(guess)}`, once, by('phone', `p${guess}`), false)).outcome,
      ).toBe('unknown');
    }
    expect((await broker.verdict(code, once, by('phone', 'p9'), false)).outcome).toBe('not_allowed');
    await broker.register(new FakeSurface('other'));
    expect((await broker.verdict(code, once, by('phone', 'p9'), false)).outcome).toBe('not_allowed');
    await broker.register(phone);
    expect((await broker.verdict(code, once, by('phone', 'p9'), false)).outcome).toBe('accepted');
  });

  it('lock only their sender where senders are known, and never the owner', async () => {
    const { rig, broker, session } = await setting();
    const { code } = await rig.ask(session, 'ls');
    await rig.settle();
    for (let guess = 0; guess < 6; guess += 1) {
      await broker.verdict('zzzzz', once, by('viewers', 'guest'), false);
      await broker.verdict('zzzzz', once, by('viewers', 'owner'), true);
    }
    expect((await broker.verdict(code, once, by('viewers', 'guest'), false)).outcome).toBe('not_allowed');
    expect((await broker.verdict(code, once, by('viewers', 'owner'), true)).outcome).toBe('accepted');
  });
});

describe('a surface that comes back', () => {
  it('is offered every open prompt again', async () => {
    const { rig, broker, session } = await setting();
    await rig.ask(session, 'ls');
    await rig.settle();
    const back = new FakeSurface();
    await broker.register(back);
    expect(back.shown).toHaveLength(1);
  });

  it('is told what ended while it was away, once', async () => {
    const { rig, broker, phone, session } = await setting();
    const { code, prompt } = await rig.ask(session, 'ls');
    await rig.settle();
    phone.broken = true;
    await broker.verdict(code, deny, by('viewers', 'owner'), true);
    await rig.settle();
    expect(phone.told).toEqual([]);
    const back = new FakeSurface();
    await broker.register(back);
    await broker.register(back);
    expect([back.shown.length, back.told]).toEqual([0, [`${prompt} decided`]]);
  });

  it('does not wait for what its former self never showed', async () => {
    const { rig, broker, phone, session } = await setting();
    phone.hold();
    await rig.ask(session, 'ls');
    await rig.settle();
    const back = new FakeSurface();
    await broker.register(back);
    expect(back.shown).toHaveLength(1);
    phone.letGo();
    await rig.settle();
    expect(await rig.store.offers({ surface: 'phone' })).toMatchObject([{ externalId: 'x-1' }]);
  });
});

describe('an offer that could not be made', () => {
  it('is made again when the surface answers', async () => {
    const { rig, broker, phone, session } = await setting();
    phone.broken = true;
    const { code } = await rig.ask(session, 'ls');
    await rig.settle();
    expect(await rig.store.offers({ surface: 'phone' })).toEqual([]);
    phone.broken = false;
    expect((await broker.verdict(code, once, by('phone'), false)).outcome).toBe('accepted');
    expect(phone.shown).toHaveLength(1);
  });

  it('does not keep another surface from answering', async () => {
    const { rig, broker, phone, session } = await setting();
    phone.hold();
    const { code } = await rig.ask(session, 'ls');
    expect((await broker.verdict(code, once, by('viewers', 'owner'), true)).outcome).toBe('accepted');
    phone.letGo();
    await rig.settle();
    expect(phone.told).toHaveLength(1);
  });

  it('does not hold up an orderly stop', async () => {
    const { rig, broker, phone, session } = await setting();
    phone.hold();
    await rig.ask(session, 'ls');
    await rig.settle();
    let over = false;
    void broker.settled(2000).then(() => (over = true));
    await rig.pass(1999);
    expect(over).toBe(false);
    await rig.pass(2);
    expect(over).toBe(true);
  });
});

describe('an allow for longer', () => {
  it.each([
    ['by the owner is kept as a rule', true, 'viewers', 'accepted', 1],
    ['by somebody else is refused', false, 'viewers', 'not_allowed', 0],
    ['is refused where the surface has no such scope', true, 'phone', 'not_allowed', 0],
  ] as const)('%s', async (_title, isOwner, surface, outcome, rules) => {
    const { rig, broker, session } = await setting();
    const { code } = await rig.ask(session, 'ls');
    await rig.settle();
    const always: Verdict = { behavior: 'allow', scope: 'always' };
    expect((await broker.verdict(code, always, by(surface), isOwner)).outcome).toBe(outcome);
    expect(await rig.store.rules(null)).toHaveLength(rules);
  });
});
