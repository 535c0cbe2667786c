import { expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { killNow } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { settle } from './support/conversation.ts';

interface Status {
  readonly pid: number;
  readonly state: string;
  readonly safe: string | null;
  readonly restarts: number;
}

it(
  'A daemon that keeps crashing is restarted 5 times, then the control port stays up with the reason, and a restart mends it',
  { timeout: 120_000 },
  () =>
    withKairos({}, async (kairos) => {
      await settle(kairos, 'help', '--session', 'before');
      const seen = new Set<number>();
      const status = await waitFor(
        async () => {
          const result = await kairos.cli(['daemon', 'status', '--json']);
          const found = result.code === 0 ? (result.json as Status) : undefined;
          if (found?.state === 'safe') return found;
          if (found) {
            seen.add(found.pid);
            killNow(found.pid);
          }
          return undefined;
        },
        { what: 'safe mode', withinMs: 60_000 },
      );
      const refused = await kairos.cli(['send', 'help']);
      const doctor = await kairos.cli(['doctor']);
      const logs = await kairos.cli(['logs']);
      await kairos.json(['daemon', 'restart']);
      const names = (await kairos.sessions()).map(({ name }) => name);
      expect({
        crashes: seen.size,
        reason: status.safe,
        send: refused.code,
        told: refused.stderr,
        doctor: doctor.code,
        logs: logs.code,
        names,
      }).toEqual({
        crashes: 6,
        reason: expect.stringContaining('SIGKILL'),
        send: 1,
        told: expect.stringContaining('safe mode'),
        doctor: 1,
        logs: 0,
        names: ['before'],
      });
    }),
);

it('Doctor finds nothing wrong with a healthy Kairos, and works without a daemon', () =>
  withKairos({}, async (kairos) => {
    const healthy = await kairos.cli(['doctor', '--json']);
    const { checks } = healthy.json as { checks: readonly { state: string }[] };
    await kairos.stopDaemon();
    const without = await kairos.cli(['doctor', '--json']);
    expect({
      code: healthy.code,
      states: [...new Set(checks.map(({ state }) => state))],
      without: without.code,
    }).toEqual({
      code: 0,
      states: ['ok'],
      without: 1,
    });
  }));
