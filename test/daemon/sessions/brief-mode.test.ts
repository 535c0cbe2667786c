import { describe, expect, it } from 'vitest';
import { sessionCommands } from '../../../electron/daemon/sessions/commands.ts';
import { makeLease } from '../../../electron/daemon/sessions/make-lease.ts';
import { offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { sessionTerms } from '../../../electron/daemon/sessions/session-terms.ts';
import { type BriefPolicy, ordinaryBrief } from '../../../shared/domain/brief.ts';
import { DaemonRig, owner } from '../support/daemon-rig.ts';

function rigged(own: Partial<BriefPolicy> = {}) {
  const rig = new DaemonRig();
  const brief = { ...ordinaryBrief, ...own };
  const commands = sessionCommands({
    store: rig.store,
    ids: rig.ids,
    defaultMode: 'default',
    models: offlineOnly,
    brief,
    defaultDir: '/w',
    checkDir: (dir) => Promise.resolve(dir),
  });
  return { rig, commands, brief };
}

const fresh = (name: string) => ({ name, dir: null, kind: 'interactive', mode: null, model: null }) as const;
const known = { principal: 'phone', trust: 'known', surface: 'viewers' } as const;

describe('a new session', () => {
  it('is in brief mode when it was asked for, by defaultView, or as an assistant', async () => {
    const ordinary = rigged();
    const chat = rigged({ byDefault: true });
    expect([
      (await ordinary.commands.createSession(fresh('a'))).brief,
      (await ordinary.commands.createSession({ ...fresh('b'), brief: true })).brief,
      (await ordinary.commands.createSession({ ...fresh('c'), kind: 'daemon' })).brief,
      (await chat.commands.createSession(fresh('a'))).brief,
      (await ordinary.commands.send({ text: 'hi', uuid: 'uuid-0001', session: 'd', brief: true }, owner))
        .state,
      (await ordinary.rig.store.session('d'))?.brief,
    ]).toEqual([false, true, true, true, 'working', true]);
  });

  it('is refused where brief mode is asked for and cannot be, and made without it where nobody asked', async () => {
    const { commands, rig } = rigged({ rollout: false, byDefault: true });
    await expect(commands.createSession({ ...fresh('a'), brief: true })).rejects.toMatchObject({
      code: 'brief_fixed',
      message: expect.stringMatching(/switched off/),
    });
    expect([await rig.store.session('a'), (await commands.createSession(fresh('b'))).brief]).toEqual([
      null,
      false,
    ]);
  });
});

describe('/brief', () => {
  it('of the owner switches the session and is no message; of a device it is text', async () => {
    const { commands, rig } = rigged();
    const { id } = await commands.createSession(fresh('a'));
    const say = (text: string, uuid: string, origin: typeof owner | typeof known) =>
      commands.send({ text, uuid, session: 'a' }, origin);
    const on = await say('/brief', 'uuid-0001', owner);
    const again = await say('/brief', 'uuid-0001', owner);
    const events = await rig.store.events(id, { after: 1, limit: 10 });
    const text = await say('/brief off', 'uuid-0002', known);
    expect([on, again, events.map(({ type, body }) => [type, body]), text.state]).toEqual([
      {
        session: id,
        name: 'a',
        message: 'uuid-0001',
        state: 'settled',
        settledBy: null,
        replies: [{ text: expect.stringMatching(/^Brief mode is on/), status: 'normal' }],
        duplicate: false,
      },
      on,
      [['session.brief_set', { brief: true }]],
      'working',
    ]);
    expect((await rig.store.session('a'))?.brief).toBe(true);
  });

  it('without a session, or for an assistant, says why it is not done', async () => {
    const { commands } = rigged();
    await commands.createSession({ ...fresh('helper'), kind: 'daemon' });
    const say = (session: string) => commands.send({ text: '/brief off', uuid: 'uuid-0001', session }, owner);
    await expect(say('nobody')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(say('helper')).rejects.toMatchObject({ code: 'brief_fixed' });
  });
});

describe('what holds for a step', () => {
  it('is what policy and session say together, for lease and terms alike', async () => {
    const held = async (own: Partial<BriefPolicy>, session: object) => {
      const { rig, brief } = rigged(own);
      const { id } = await rig.session('a', session);
      const scratch = async () => '/s';
      const made = await makeLease({ store: rig.store, scratch, models: offlineOnly, brief }, id, 'lse_1');
      const limits = { dayMicroUsd: null, sessionDayTokens: null };
      const terms = sessionTerms({ store: rig.store, models: offlineOnly, limits, policy: 'p', brief });
      return [made?.kind === 'lease' && made.lease.brief, (await terms(id)).brief];
    };
    expect([
      await held({}, { brief: true }),
      await held({}, {}),
      await held({ rollout: false }, { brief: true }),
      await held({ rollout: false }, { workerType: 'kairos_assistant', kind: 'daemon' }),
    ]).toEqual([
      [true, true],
      [false, false],
      [false, false],
      [true, true],
    ]);
  });
});
