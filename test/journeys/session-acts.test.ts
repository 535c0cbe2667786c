import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, fileHas, send, settle, settled, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
});
afterAll(() => kairos.dispose());

async function session(name: string) {
  return (await kairos.sessions()).find((each) => each.name === name);
}

describe('interrupt', () => {
  it('kills the running command with everything it started, and settles the message', async () => {
    const text =
      'run echo began > began.txt; sh -c "trap \'\' TERM; sleep 600" & sleep 600; echo over >> began.txt';
    const { message } = await send(kairos, text, '--session', 'stopped', '--mode', 'bypassPermissions');
    await fileHas(kairos, 'began.txt', 'began');
    await kairos.json(['interrupt', 'stopped']);
    await settled(kairos, message);
    await waitFor(() => kairos.processes('tool').length === 0, {
      what: 'the end of the command',
      withinMs: 5_000,
    });
    const log = await kairos.exported('stopped');
    expect({
      file: workFile(kairos, 'began.txt'),
      outcomes: bodies(log, 'call.ended').map(({ result }) => result.outcome),
      settled: bodies(log, 'message.settled').map(({ by }) => by),
      turns: bodies(log, 'turn.ended').map(({ outcome }) => outcome),
    }).toEqual({
      file: 'began\n',
      outcomes: ['interrupted'],
      settled: ['interrupted'],
      turns: ['interrupted'],
    });
  });

  it('withdraws what asks', async () => {
    const { message } = await send(kairos, 'run echo x', '--session', 'withdrawn');
    const { code } = await kairos.approval();
    await kairos.json(['interrupt', 'withdrawn']);
    await settled(kairos, message);
    const late = await kairos.cli(['approve', code, '--json']);
    expect({ code: late.code, open: await kairos.approvals() }).toEqual({ code: 5, open: [] });
  });
});

describe('rename and mode', () => {
  it('change the session at once, and a taken name is refused', async () => {
    await settle(kairos, 'help', '--session', 'old-name');
    await kairos.json(['rename', 'old-name', 'new-name']);
    await kairos.json(['mode', 'new-name', 'default']);
    const { message } = await send(kairos, 'run echo asked', '--session', 'new-name');
    const { code } = await kairos.approval();
    await kairos.json(['deny', code]);
    await settled(kairos, message);
    await settle(kairos, 'help', '--session', 'taken');
    const refused = await kairos.cli(['rename', 'taken', 'new-name']);
    expect({ old: await session('old-name'), refused: refused.code, stderr: refused.stderr }).toEqual({
      old: undefined,
      refused: 1,
      stderr: expect.stringContaining('new-name'),
    });
  });
});

describe('pause', () => {
  it("runs an owner's direct message and lets a device's wait until resume", async () => {
    await settle(kairos, 'help', '--session', 'paused');
    const device = await kairos.bridge.get<{ token: string }>({
      method: 'POST',
      path: '/devices',
      body: { name: 'phone', scopes: ['read', 'send'] },
    });
    const fromDevice = { uuid: randomUUID(), session: 'paused', text: 'run echo device >> paused.txt' };
    await kairos.json(['pause', 'paused']);
    await kairos.bridge.get({ method: 'POST', path: '/messages', body: fromDevice, token: device.token });
    const owner = await send(
      kairos,
      'run echo owner >> paused.txt',
      '--session',
      'paused',
      '--mode',
      'bypassPermissions',
    );
    await settled(kairos, owner.message);
    const during = { state: (await session('paused'))?.state, file: workFile(kairos, 'paused.txt') };
    await kairos.json(['resume', 'paused']);
    await settled(kairos, fromDevice.uuid);
    expect({ during, file: workFile(kairos, 'paused.txt') }).toEqual({
      during: { state: 'paused', file: 'owner\n' },
      file: 'owner\ndevice\n',
    });
  });

  it("of everything lets what runs finish and begins nothing else that is not the owner's", async () => {
    await kairos.json(['pause']);
    const owner = await settle(kairos, 'run echo still mine', '--session', 'paused-all');
    await kairos.json(['resume']);
    expect(owner.state).toBe('settled');
  });
});
