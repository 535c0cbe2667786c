import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, send, settle, settled } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos({ settings: { sessions: { hibernateAfterSeconds: 0.3 } } });
});
afterAll(() => kairos.dispose());

async function session(name: string) {
  return (await kairos.sessions()).find((each) => each.name === name);
}

describe('A session that sleeps', () => {
  it('has no worker meanwhile and wakes by itself when the time has come', async () => {
    const { message } = await send(
      kairos,
      'sleep 1500ms\nrun echo awake > awake.txt',
      '--session',
      'nap',
      '--mode',
      'bypassPermissions',
    );
    const asleep = await waitFor(
      async () => {
        const row = await session('nap');
        return row?.state === 'sleeping' && row.pid === null && kairos.processes('worker').length === 0
          ? row
          : undefined;
      },
      { what: 'a session asleep without a worker' },
    );
    const { state } = await settled(kairos, message);
    const calls = bodies(await kairos.exported('nap'), 'call.ended').map(({ tool, result }) => [
      tool,
      result.outcome,
    ]);
    expect({ asleep: asleep.state, state, calls }).toEqual({
      asleep: 'sleeping',
      state: 'settled',
      calls: [
        ['Sleep', 'ok'],
        ['Bash', 'ok'],
      ],
    });
  });

  it('is asleep from the start of its Sleep on, with pid null, also while its worker waits out the quiet time', async () => {
    const patient = await startKairos();
    try {
      await send(patient, 'sleep 1h', '--session', 'nap');
      const readings = new Set<string>();
      await waitFor(
        async () => {
          const row = (await patient.sessions()).find(({ name }) => name === 'nap');
          readings.add(`${row?.state}, ${row?.pid === null ? 'no pid' : 'pid'}`);
          return row?.state === 'sleeping';
        },
        { what: 'a sleeping session' },
      );
      expect([readings.has('sleeping, no pid'), readings.has('sleeping, pid')]).toEqual([true, false]);
      expect(patient.processes('worker')).toHaveLength(1);
    } finally {
      await patient.dispose();
    }
  });

  it('is woken by a message', async () => {
    const long = await send(kairos, 'sleep 1h', '--session', 'woken');
    await waitFor(async () => (await session('woken'))?.state === 'sleeping', { what: 'a sleeping session' });
    const second = await send(kairos, 'help', '--session', 'woken');
    const answers = [await settled(kairos, long.message), await settled(kairos, second.message)];
    expect(answers.map(({ state }) => state)).toEqual(['settled', 'settled']);
  });

  it('keeps its alarm over a restart of the daemon', async () => {
    const { message } = await send(kairos, 'sleep 2s', '--session', 'over-restart');
    await waitFor(async () => (await session('over-restart'))?.state === 'sleeping', {
      what: 'a sleeping session',
    });
    await kairos.json(['daemon', 'restart']);
    expect((await settled(kairos, message)).state).toBe('settled');
  });
});

describe('A session with nothing to do', () => {
  it('hibernates after its quiet time, shows pid null, and wakes for the next message', async () => {
    await settle(kairos, 'help', '--session', 'quiet');
    await waitFor(
      async () => (await session('quiet'))?.pid === null && kairos.processes('worker').length === 0,
      {
        what: 'hibernation',
      },
    );
    const again = await settle(kairos, 'run echo back', '--session', 'quiet');
    expect(again.state).toBe('settled');
  });
});
