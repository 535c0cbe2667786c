import { describe, expect, it } from 'vitest';
import { dueInstant, storedDue } from '../../../electron/daemon/events/rows/due-time.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { commandFacts, DaemonRig, owner, startedAt, terms } from '../support/daemon-rig.ts';

const day = 86_400_000;
const noWords: CallFacts = { ...commandFacts(''), tool: 'SendUserMessage', access: 'person', class: 'local' };

describe('a due time', () => {
  it.each([
    ['that has come stays due for a century of set-back clocks', startedAt, startedAt],
    ['from before stays due too, and stays before', startedAt - day, startedAt],
  ])('%s', (_title, at, now) => {
    const stored = storedDue(at, now);
    expect([stored <= now - 90 * 365 * day, dueInstant(stored)]).toEqual([true, at]);
  });
  it('that is ahead stays as it is', () => {
    const stored = storedDue(startedAt + 1, startedAt);
    expect([stored, dueInstant(stored)]).toEqual([startedAt + 1, startedAt + 1]);
  });
});

describe('a clock that is set back', () => {
  it('holds neither a message nor a running turn', async () => {
    const rig = new DaemonRig();
    const [a, b] = [(await rig.session('a')).id, (await rig.session('b')).id];
    await rig.say(a);
    await rig.pass(5);
    await rig.say(b);
    await rig.store.nextStep(b, terms);
    rig.time.jump(-3 * day);
    expect(await rig.store.runnable()).toEqual([a, b]);
    expect(await rig.store.nextStep(a, terms)).toMatchObject({ kind: 'request' });
  });

  it('keeps what was meant for later for later', async () => {
    const rig = new DaemonRig();
    const session = (await rig.session('a')).id;
    await rig.say(session, 'later', { kind: 'schedule', availableAt: startedAt + 1000 });
    rig.time.jump(-day);
    await rig.pass(2000);
    expect([await rig.store.runnable(), await rig.store.nextDue()]).toEqual([[], startedAt + 1000]);
  });
});

describe('a paused turn that somebody else began', () => {
  it("is not continued by the owner's message for after the turn", async () => {
    const rig = new DaemonRig();
    const session = (await rig.session('a')).id;
    const known = { ...owner, principal: 'ann', trust: 'known' } as const;
    const { step, call } = await rig.firstCall(session, noWords, { origin: known });
    await rig.store.setPaused(session, true);
    await rig.say(session, 'afterwards', { mode: 'after_turn' });
    const ended = await rig.store.beginCall({
      session,
      step,
      call,
      facts: noWords,
      decision: { behavior: 'allow', by: 'x', rule: null },
      digest: 'd',
      plan: { do: 'end', result: { outcome: 'error', output: 'no' } },
      terms,
    });
    expect(ended).toMatchObject({ kind: 'ended', next: { kind: 'refused', why: 'paused' } });
    await rig.say(session, 'now');
    expect(await rig.store.nextStep(session, terms)).toMatchObject({ kind: 'request' });
  });
});
