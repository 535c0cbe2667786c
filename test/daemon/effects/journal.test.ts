import { describe, expect, it } from 'vitest';
import { EffectJournal } from '../../../electron/daemon/effects/journal.ts';
import type { EffectClass } from '../../../shared/domain/effects.ts';
import { DaemonRig } from '../support/daemon-rig.ts';
import { FakePlatform } from '../support/fake-platform.ts';

const lost = { kind: 'unknown', reason: 'no answer' } as const;
const chat = (name: string, surface = 'p') => ({ surface, chat: name });

interface Setting {
  readonly rig: DaemonRig;
  readonly journal: EffectJournal;
  readonly platform: FakePlatform;
  readonly session: string;
}

async function setting(effectClass: EffectClass, disk?: DaemonRig['disk']): Promise<Setting> {
  const rig = new DaemonRig({ ...(disk ? { disk } : {}), deliveryClass: () => effectClass });
  const journal = new EffectJournal(rig);
  const platform = new FakePlatform('p', effectClass);
  const session = (await rig.store.session('a'))?.id ?? (await rig.session('a')).id;
  return { rig, journal, platform, session };
}

/** The daemon dies and comes back on the same disk; the platform answers nobody any more. */
async function reborn({ rig }: Setting, effectClass: EffectClass): Promise<Setting> {
  rig.store.crash();
  return setting(effectClass, rig.disk);
}

async function ends({ rig, session }: Setting): Promise<string[]> {
  return (await rig.types(session)).filter((type) => /^delivery\.(done|failed|uncertain)$/.test(type));
}

describe('deliveries', () => {
  it('are made in order within a chat and side by side between chats', async () => {
    const all = await setting('keyed');
    const { rig, journal, platform, session } = all;
    platform.held = true;
    journal.register(platform);
    await rig.send(session, 'one', [chat('a')]);
    await rig.send(session, 'two', [chat('a')]);
    await rig.send(session, 'three', [chat('b')]);
    await rig.settle();
    expect(platform.sent).toEqual(['one', 'three']);
    platform.answer({ kind: 'sent', externalId: '1' });
    await rig.settle();
    expect(platform.sent).toEqual(['one', 'three', 'two']);
    expect(await ends(all)).toEqual(['delivery.done']);
  });

  it('wait for their platform and say so', async () => {
    const { rig, journal, platform, session } = await setting('keyed');
    journal.register(new FakePlatform('other', 'keyed'));
    await rig.send(session, 'one', [chat('a')]);
    await rig.settle();
    expect([platform.sent, rig.problemCodes]).toEqual([[], ['delivery:p']]);
    journal.register(platform);
    await rig.settle();
    expect([platform.sent, rig.problemCodes]).toEqual([['one'], []]);
  });

  it('that are refused for good do not hold up what follows', async () => {
    const all = await setting('keyed');
    const { rig, journal, platform, session } = all;
    platform.plan.push({ kind: 'rejected', reason: 'no such chat' });
    await rig.send(session, 'one', [chat('a')]);
    await rig.send(session, 'two', [chat('a')]);
    journal.register(platform);
    await rig.settle();
    expect([platform.sent, await ends(all)]).toEqual([
      ['one', 'two'],
      ['delivery.failed', 'delivery.done'],
    ]);
    expect(rig.logged).toEqual(['warn: a message may not have arrived']);
  });

  it('that have to wait hold up what follows in their chat', async () => {
    const { rig, journal, platform, session } = await setting('keyed');
    platform.plan.push({ kind: 'retry', reason: '429', afterMs: 30_000 });
    await rig.send(session, 'one', [chat('a')]);
    await rig.send(session, 'two', [chat('a')]);
    journal.register(platform);
    await rig.pass(29_999);
    journal.pump();
    await rig.settle();
    expect(platform.sent).toEqual(['one']);
    await rig.pass(1);
    journal.pump();
    await rig.settle();
    expect(platform.sent).toEqual(['one', 'one', 'two']);
  });

  it('are not held by a clock that was set back', async () => {
    const { rig, journal, platform, session } = await setting('keyed');
    platform.plan.push({ kind: 'retry', reason: '429' });
    await rig.send(session, 'one', [chat('a')]);
    journal.register(platform);
    await rig.settle();
    rig.time.jump(-86_400_000);
    journal.pump();
    await rig.settle();
    expect(platform.sent).toEqual(['one', 'one']);
  });
});

describe('an answer that was lost', () => {
  it.each([
    ['keyed', ['one', 'one'], [], 'delivery.done'],
    ['blind', ['one'], [], 'delivery.uncertain'],
  ] as const)('of a %s way', async (effectClass, sent, lookedUp, end) => {
    const all = await setting(effectClass);
    const { rig, journal, platform, session } = all;
    platform.plan.push(lost);
    await rig.send(session, 'one', [chat('a')]);
    journal.register(platform);
    await rig.pass(60_000);
    journal.pump();
    await rig.settle();
    expect([platform.sent, platform.lookedUp, await ends(all)]).toEqual([sent, lookedUp, [end]]);
  });

  it.each([
    ['found', { found: true, externalId: '9' }, ['one'], ['delivery.done']],
    ['not found', { found: false }, ['one', 'one'], ['delivery.done']],
    ['unknown', 'unknown', ['one'], []],
  ] as const)('of a way that can look up is looked up first: %s', async (_title, found, sent, expected) => {
    const all = await setting('readback');
    const { rig, journal, platform, session } = all;
    platform.plan.push(lost);
    platform.found = found;
    await rig.send(session, 'one', [chat('a')]);
    journal.register(platform);
    await rig.pass(10_000);
    journal.pump();
    await rig.settle();
    expect([platform.sent, platform.lookedUp, await ends(all)]).toEqual([sent, ['one'], expected]);
  });

  it('and that cannot be looked up for a day is uncertain', async () => {
    const all = await setting('readback');
    const { rig, journal, platform, session } = all;
    platform.plan.push(new Error('cut'));
    await rig.send(session, 'one', [chat('a')]);
    journal.register(platform);
    await rig.pass(10_000);
    rig.time.jump(25 * 3_600_000);
    journal.pump();
    await rig.settle();
    expect(await ends(all)).toEqual(['delivery.uncertain']);
  });
});

describe('after a crash while sending', () => {
  it.each([
    ['keyed', ['one', 'one'], ['delivery.done']],
    ['readback', ['one'], ['delivery.done']],
    ['blind', ['one'], ['delivery.uncertain']],
  ] as const)('a %s delivery', async (effectClass, sent, expected) => {
    const first = await setting(effectClass);
    first.platform.held = true;
    first.journal.register(first.platform);
    await first.rig.send(first.session, 'one', [chat('a')]);
    await first.rig.settle();
    const second = await reborn(first, effectClass);
    second.platform.found = { found: true, externalId: '1' };
    second.journal.register(second.platform);
    await second.rig.settle();
    expect([[...first.platform.sent, ...second.platform.sent], await ends(second)]).toEqual([sent, expected]);
  });

  it('what was not begun is sent', async () => {
    const first = await setting('blind');
    await first.rig.send(first.session, 'one', [chat('a')]);
    const second = await reborn(first, 'blind');
    second.journal.register(second.platform);
    await second.rig.settle();
    expect([second.platform.sent, await ends(second)]).toEqual([['one'], ['delivery.done']]);
  });
});

describe('a full disk', () => {
  it('while the platform answers does not make a blind message be sent twice', async () => {
    const all = await setting('blind');
    const { rig, journal, platform, session } = all;
    platform.held = true;
    journal.register(platform);
    await rig.send(session, 'one', [chat('a')]);
    await rig.settle();
    rig.disk.full = true;
    platform.answer({ kind: 'sent', externalId: '1' });
    await rig.pass(10_000);
    expect([await ends(all), rig.problemCodes]).toEqual([[], ['disk_full']]);
    rig.disk.full = false;
    await rig.pass(1000);
    expect([platform.sent, await ends(all), rig.problemCodes]).toEqual([['one'], ['delivery.done'], []]);
  });

  it('before the sending keeps the message at home', async () => {
    const { rig, journal, platform, session } = await setting('blind');
    await rig.send(session, 'one', [chat('a')]);
    rig.disk.full = true;
    journal.register(platform);
    await rig.pass(10_000);
    expect(platform.sent).toEqual([]);
    rig.disk.full = false;
    await rig.pass(1000);
    expect(platform.sent).toEqual(['one']);
  });
});

describe('an orderly stop', () => {
  it('waits for a platform that answers', async () => {
    const all = await setting('blind');
    const { rig, journal, platform, session } = all;
    platform.held = true;
    journal.register(platform);
    await rig.send(session, 'one', [chat('a')]);
    await rig.send(session, 'two', [chat('a')]);
    await rig.settle();
    const stopped = journal.stop();
    await rig.pass(1000);
    platform.answer({ kind: 'sent', externalId: '1' });
    await rig.settle();
    await stopped;
    expect([platform.sent, await ends(all)]).toEqual([['one'], ['delivery.done']]);
  });

  it('does not wait longer than five seconds', async () => {
    const { rig, journal, platform, session } = await setting('blind');
    platform.held = true;
    journal.register(platform);
    await rig.send(session, 'one', [chat('a')]);
    await rig.settle();
    let over = false;
    void journal.stop().then(() => (over = true));
    await rig.pass(4999);
    expect(over).toBe(false);
    await rig.pass(2);
    expect(over).toBe(true);
  });
});
