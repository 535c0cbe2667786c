import { describe, expect } from 'vitest';
import type { NewDevice } from '../../../electron/daemon/events/rows.ts';
import { beginCall, chat, endCall, log, newSession, send, withCalls } from '../../store/support/acts.ts';
import type { Store } from '../../../electron/daemon/events/port.ts';
import { behaviour, codeOf } from '../store-rig.ts';

async function delivery(store: Store): Promise<{ id: string; session: string }> {
  const { session, step } = await withCalls(store, ['c1', 'SendUserMessage'], ['c2', 'Bash']);
  await beginCall(store, session, step, 'c1', send('hi', { routes: [chat] }));
  const [effect] = await store.openEffects();
  return { id: effect?.id ?? '', session };
}

// The journal of what is done to the outside, blobs, devices, settings.
describe('effects', () => {
  behaviour('a delivery is planned with its message in one commit', async ({ store, notices, clock }) => {
    const { id, session } = await delivery(store);
    expect(notices.at(-1)?.events.map(({ type }) => type)).toEqual([
      'call.began',
      'message.sent',
      'delivery.planned',
      'call.ended',
    ]);
    expect(await store.effect(id)).toEqual({
      id,
      session,
      kind: 'delivery',
      cause: 'c1',
      class: 'blind',
      key: id,
      route: chat,
      state: 'planned',
      attempt: 0,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      tool: null,
      input: null,
      facts: null,
      decision: null,
      digest: null,
      prompt: null,
      result: null,
      until: null,
      text: 'hi',
      externalId: null,
    });
  });

  behaviour(
    'the surface says what a delivery can promise',
    async ({ store }) => {
      const { id } = await delivery(store);
      expect((await store.effect(id))?.class).toBe('keyed');
    },
    { deliveryClass: (surface) => (surface === 'telegram' ? 'keyed' : 'blind') },
  );

  behaviour('delivered only with the id of the platform, and then for good', async ({ store }) => {
    const { id, session } = await delivery(store);
    expect(await store.startEffect(id)).toMatchObject({ state: 'started', attempt: 1 });
    expect(await codeOf(store.finishEffect({ effect: id, state: 'done' }))).toBe('bad_input');
    expect(await store.finishEffect({ effect: id, state: 'done', externalId: 'tg-1' })).toMatchObject({
      state: 'done',
      externalId: 'tg-1',
    });
    expect(await codeOf(store.finishEffect({ effect: id, state: 'failed' }))).toBe('stale');
    expect(await codeOf(store.startEffect(id))).toBe('stale');
    expect(await store.openEffects()).toEqual([]);
    expect((await log(store, session)).at(-1)).toBe('delivery.done');
  });

  behaviour('a delivery to be tried again waits for its time', async ({ store, clock }) => {
    const { id, session } = await delivery(store);
    await store.startEffect(id);
    const notBefore = clock.now() + 3000;
    await store.finishEffect({ effect: id, state: 'planned', reason: '429', notBefore });
    expect(await store.openEffects()).toMatchObject([{ id, state: 'planned', until: notBefore, attempt: 1 }]);
    expect(await store.nextDue()).toBe(notBefore);
    expect(await store.startEffect(id)).toMatchObject({ attempt: 2, until: null });
    expect((await log(store, session)).at(-1)).toBe('call.ended');
  });

  behaviour('what is started when the process dies is found started', async (rig) => {
    const { id } = await delivery(rig.store);
    await rig.store.startEffect(id);
    const store = await rig.crash();
    expect(await store.openEffects()).toMatchObject([{ id, state: 'started', attempt: 1 }]);
    expect(await store.finishEffect({ effect: id, state: 'uncertain', reason: 'died' })).toMatchObject({
      state: 'uncertain',
    });
    expect(await store.openEffects()).toEqual([]);
    expect((await store.finishEffect({ effect: id, state: 'done', externalId: 'x' })).state).toBe('done');
  });

  behaviour('calls and unknown effects are not for the journal of deliveries', async ({ store }) => {
    await delivery(store);
    expect(await codeOf(store.startEffect('c2'))).toBe('bad_input');
    expect(await codeOf(store.startEffect('eff_x'))).toBe('not_found');
  });

  behaviour('open deliveries come in order of creation', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'S'], ['c2', 'S'], ['c3', 'S']);
    for (const call of ['c1', 'c2', 'c3'])
      await beginCall(store, session, step, call, send(call, { routes: [chat] }));
    const [first] = await store.openEffects();
    await store.startEffect(first?.id ?? '');
    expect((await store.openEffects()).map(({ text }) => text)).toEqual(['c1', 'c2', 'c3']);
  });
});

describe('blobs', () => {
  behaviour('content has one address and comes back byte for byte', async ({ store }) => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 251);
    const [one, two] = await Promise.all([store.putBlob(bytes), store.putBlob(bytes)]);
    expect(one).toBe(two);
    expect(Buffer.from((await store.blob(one)) ?? []).equals(bytes)).toBe(true);
    expect(await store.blob('0'.repeat(64))).toBeNull();
    expect(await store.blob('../../etc/passwd')).toBeNull();
  });

  behaviour('only old blobs that nothing needs are deleted', async ({ store, clock }) => {
    const id = await newSession(store);
    const frame = await store.pinFrame(id, 'frame');
    const loose = await store.putBlob(Buffer.from('loose'));
    const renewed = await store.putBlob(Buffer.from('renewed'));
    clock.advance(25 * 3600 * 1000);
    const fresh = await store.putBlob(Buffer.from('fresh'));
    expect(await store.putBlob(Buffer.from('renewed'))).toBe(renewed);
    expect(await store.collectBlobs(24 * 3600 * 1000)).toBe(1);
    expect(await store.collectBlobs(24 * 3600 * 1000)).toBe(0);
    const left = await Promise.all([frame, loose, renewed, fresh].map((hash) => store.blob(hash)));
    expect(left.map((blob) => blob !== null)).toEqual([true, false, true, true]);
  });

  behaviour('the pictures of a result are needed for ever', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Read']);
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    const hash = await store.putBlob(Buffer.from('a picture'));
    const images = [{ hash, mediaType: 'image/png', bytes: 9 }];
    await endCall(store, session, 'c1', { outcome: 'ok', output: 'seen', images });
    clock.advance(25 * 3600 * 1000);
    expect(await store.collectBlobs(0)).toBe(0);
    expect(await store.blob(hash)).not.toBeNull();
  });

  behaviour('long events and spills are needed for ever', async ({ store, clock }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash'], ['c2', 'Bash']);
    const spill = await store.putBlob(Buffer.from('whole output'));
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    const output = 'x'.repeat(100_000);
    await store.endCall({
      session,
      call: 'c1',
      result: { outcome: 'ok', output, spill },
      terms: {
        reservation: { tokens: 0, microUsd: 0 },
        limits: { dayMicroUsd: null, sessionDayTokens: null },
        policy: '',
      },
    });
    clock.advance(25 * 3600 * 1000);
    expect(await store.collectBlobs(0)).toBe(0);
    expect((await store.effect('c1'))?.result?.output).toBe(output);
    expect(await store.blob(spill)).not.toBeNull();
  });
});

describe('settings of the installation', () => {
  behaviour('devices are added, listed and revoked once', async ({ store, clock, notices }) => {
    const phone = { name: 'phone', scopes: ['read', 'send'], tokenHash: 'h', madeBy: null, window: false };
    const device = await store.addDevice(phone as NewDevice);
    expect(notices.at(-1)?.meta).toBe(true);
    expect([
      await store.revokeDevice(device.id),
      await store.revokeDevice(device.id),
      await store.revokeDevice('unknown'),
    ]).toEqual([[device.id], [], []]);
    expect(await store.devices()).toEqual([{ ...device, revokedAt: clock.now() }]);
  });

  behaviour('a device ends with its maker, over every generation, and no other one does', async (rig) => {
    const made = async (name: string, madeBy: string | null): Promise<string> =>
      (await rig.store.addDevice({ name, scopes: ['read'], tokenHash: name, madeBy, window: true })).id;
    const other = await made('other', null);
    const phone = await made('phone', null);
    const child = await made('child', phone);
    const grandchild = await made('grandchild', child);
    const cousin = await made('cousin', other);
    const gone = await made('gone', phone);
    await rig.store.revokeDevice(gone);
    const ended = await rig.store.revokeDevice(phone);
    const late = await codeOf(made('late', grandchild));
    const store = await rig.reopen();
    const valid = (await store.devices()).filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
    expect([ended, late, valid]).toEqual([[phone, child, grandchild], 'not_allowed', [other, cousin]]);
  });

  behaviour(
    'what a removed window made still ends with the maker of that window',
    async ({ store, clock }) => {
      const wish = { scopes: ['read'] as const, tokenHash: 'h', window: true };
      const phone = await store.addDevice({ ...wish, name: 'phone', madeBy: null });
      const window = await store.addDevice({ ...wish, name: 'window', madeBy: phone.id });
      const next = await store.addDevice({ ...wish, name: 'next', madeBy: window.id });
      await store.seeDevices([next.id, 'unknown']);
      await store.removeDevices([window.id, 'unknown']);
      const listed = await store.devices();
      expect([listed, await store.revokeDevice(phone.id)]).toEqual([
        [phone, { ...next, madeBy: phone.id, lastSeen: clock.now() }],
        [phone.id, next.id],
      ]);
    },
  );

  behaviour('a setting is replaced and outlives a restart', async (rig) => {
    await rig.store.setMeta('k', '1');
    await rig.store.setMeta('k', '2');
    const store = await rig.reopen();
    expect([await store.meta('k'), await store.meta('none')]).toEqual(['2', null]);
  });
});
