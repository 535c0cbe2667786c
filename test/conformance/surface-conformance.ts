import { describe, expect, it } from 'vitest';
import { PromptBroker } from '../../electron/daemon/prompts/broker.ts';
import type { Showing, Surface } from '../../electron/daemon/prompts/surface.ts';
import type { Verdict } from '../../shared/domain/prompts.ts';
import { DaemonRig } from '../daemon/support/daemon-rig.ts';
import { FakeSurface } from '../daemon/support/fake-surface.ts';

interface Watched {
  readonly surface: Surface;
  readonly shown: Showing[];
  /** Ids of the prompts whose end it was told. */
  readonly told: string[];
}

/** The surface, with what the broker asked of it written down. */
function watched(inner: Surface): Watched {
  const [shown, told]: [Showing[], string[]] = [[], []];
  const surface: Surface = {
    id: inner.id,
    traits: inner.traits,
    offer: (showing) => {
      shown.push(showing);
      return inner.offer(showing);
    },
    settled: (prompt) => {
      told.push(prompt.id);
      return inner.settled(prompt);
    },
  };
  return { surface, shown, told };
}

interface Setting extends Watched {
  readonly rig: DaemonRig;
  readonly broker: PromptBroker;
  ask(command?: string, change?: Parameters<DaemonRig['ask']>[2]): Promise<{ prompt: string; code: string }>;
  verdict(code: string, verdict?: Verdict): Promise<string>;
}

/** A broker with another surface that can ask everything, so that nothing is denied for want of one. */
async function setting(make: () => Surface): Promise<Setting> {
  const rig = new DaemonRig();
  const broker = new PromptBroker(rig);
  await broker.register(new FakeSurface('elsewhere', { maxShown: null }));
  const one = watched(make());
  let sessions = 0;
  return {
    ...one,
    rig,
    broker,
    async ask(command = 'ls', change = {}) {
      sessions += 1;
      const asked = await rig.ask((await rig.session(`s${sessions}`)).id, command, change);
      await rig.settle();
      return asked;
    },
    async verdict(code, verdict = { behavior: 'allow', scope: 'once' }) {
      const by = { surface: one.surface.id, principal: 'ann', at: 1 };
      const { outcome } = await broker.verdict(code, verdict, by, true);
      await rig.settle();
      return outcome;
    },
  };
}

/** What every place where people decide gets from the broker, and what its answers are worth. */
export function surfaceConformance(name: string, make: () => Surface): void {
  describe(`${name} as a surface`, () => {
    offers(make);
    answers(make);
  });
}

function offers(make: () => Surface): void {
  it('is offered on registration what has been open before, and again each time it registers', async () => {
    const { broker, surface, shown, ask, rig } = await setting(make);
    const [first, second] = [await ask('one'), await ask('two')];
    await broker.register(surface);
    const before = shown.map(({ prompt }) => prompt.code).sort();
    await broker.register(surface);
    await rig.settle();
    const codes = [first.code, second.code].sort();
    expect([
      before,
      shown
        .slice(2)
        .map(({ prompt }) => prompt.code)
        .sort(),
    ]).toEqual([codes, codes]);
  });

  it('is told once how each ended, also what ended while it was away', async () => {
    const { broker, surface, told, ask, rig } = await setting(make);
    await broker.register(surface);
    const [here, away] = [await ask(), await ask()];
    await rig.store.claimPrompt({
      code: here.code,
      verdict: { behavior: 'deny' },
      by: { surface: 'elsewhere', principal: 'bob', at: 1 },
    });
    await rig.settle();
    const atOnce = [...told];
    broker.unregister(surface.id);
    await rig.store.claimPrompt({
      code: away.code,
      verdict: { behavior: 'deny' },
      by: { surface: 'elsewhere', principal: 'bob', at: 1 },
    });
    await rig.settle();
    const meanwhile = [...told];
    await broker.register(surface);
    await broker.register(surface);
    await rig.settle();
    expect([atOnce, meanwhile, told]).toEqual([[here.prompt], [here.prompt], [here.prompt, away.prompt]]);
  });

  it('hears nothing of kinds that it does not declare', async () => {
    const narrow = (): Surface => {
      const inner = make();
      return { ...delegate(inner), traits: { ...inner.traits, kinds: ['question'] } };
    };
    const { broker, surface, shown, told, ask, verdict } = await setting(narrow);
    await broker.register(surface);
    const approval = await ask('ls');
    const question = await ask('really?', { kind: 'question' });
    const outcome = await verdict(approval.code);
    expect([shown.map(({ prompt }) => prompt.id), told, outcome]).toEqual([
      [question.prompt],
      [],
      'not_allowed',
    ]);
  });
}

function delegate(inner: Surface): Surface {
  return {
    id: inner.id,
    traits: inner.traits,
    offer: (showing) => inner.offer(showing),
    settled: (prompt) => inner.settled(prompt),
  };
}

function answers(make: () => Surface): void {
  it('shows a long preview whole or says that it is cut; only what was shown whole can be allowed', async () => {
    const { broker, surface, shown, ask, verdict, rig } = await setting(make);
    await broker.register(surface);
    const preview = `echo ${'x'.repeat(1_000)} end`;
    const { code, prompt } = await ask(preview);
    const { maxShown } = surface.traits;
    const [showing] = shown;
    const offer = (await rig.store.offers({ prompt, surface: surface.id }))[0];
    const whole = maxShown === null || maxShown >= preview.length;
    expect({
      whole: showing?.whole,
      fits: (showing?.text.length ?? 0) <= (maxShown ?? preview.length),
      ends: [showing?.text.startsWith('echo xxx'), showing?.text.endsWith(' end')],
      says: showing?.text.includes('cut') === !whole,
      counted: (offer?.shown ?? 0) >= preview.length,
      allow: await verdict(code),
      deny: await verdict(code, { behavior: 'deny' }),
    }).toEqual({
      whole,
      fits: true,
      ends: [true, true],
      says: true,
      counted: whole,
      allow: whole ? 'accepted' : 'not_allowed',
      deny: whole ? 'already_answered' : 'accepted',
    });
  });

  it.each(['once', 'session', 'always'] as const)(
    'allows with scope %s only where it declares it',
    async (scope) => {
      const { broker, surface, ask, verdict } = await setting(make);
      await broker.register(surface);
      const { code } = await ask();
      const declared = surface.traits.scopes.includes(scope);
      expect(await verdict(code, { behavior: 'allow', scope })).toBe(declared ? 'accepted' : 'not_allowed');
    },
  );

  it('has no say before it was asked and after it left', async () => {
    const { broker, surface, ask, verdict } = await setting(make);
    const { code } = await ask();
    const before = await verdict(code);
    await broker.register(surface);
    broker.unregister(surface.id);
    expect([before, await verdict(code)]).toEqual(['not_allowed', 'not_allowed']);
  });
}
