import { expect, it } from 'vitest';
import { type ApprovalFacts, withKairos } from '../support/real/kairos.ts';
import { settle } from './support/conversation.ts';

interface Dated extends ApprovalFacts {
  readonly expiresAt: string;
}

const yearMs = 365 * 24 * 3_600_000;

it('An approval that waits outlives a wall clock that was set ten years ahead while Kairos was stopped', () =>
  withKairos({ dist: 'dist-crash' }, async (kairos) => {
    await kairos.json(['send', 'run echo late > late.txt', '--session', 'talk']);
    await kairos.approval();
    const [before] = await kairos.json<readonly Dated[]>(['approvals']);
    await kairos.stopDaemon();
    const env = { KAIROS_WALL_OFFSET_MS: String(10 * yearMs) };
    await kairos.cli(['daemon', 'start'], { env });
    const [after] = await kairos.json<readonly Dated[]>(['approvals']);
    const approved = await kairos.json<{ outcome: string }>(['approve', before?.code ?? '']);
    const movedBy = Date.parse(after?.expiresAt ?? '') - Date.parse(before?.expiresAt ?? '');
    expect({
      code: after?.code,
      years: Math.round((movedBy / yearMs) * 1000) / 1000,
      approved: approved.outcome,
      goesOn: (await settle(kairos, 'help', '--session', 'other')).state,
    }).toEqual({ code: before?.code, years: 10, approved: 'accepted', goesOn: 'settled' });
  }));
