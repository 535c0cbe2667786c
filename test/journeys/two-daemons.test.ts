import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Kairos, withKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { settle } from './support/conversation.ts';

describe('Two daemons on one home', () => {
  it('a second start attaches to the one that runs', () =>
    withKairos({}, async (kairos) => {
      const { pid } = await kairos.json<{ pid: number }>(['daemon', 'status']);
      const again = await kairos.startDaemon();
      expect({ pid: again.pid, daemons: kairos.processes('daemon').length }).toEqual({ pid, daemons: 1 });
    }));

  it('five starts at once end with one daemon, and all of them name it', async () => {
    const kairos = new Kairos();
    try {
      const started = await Promise.all(Array.from({ length: 5 }, () => kairos.startDaemon()));
      // A start that lost the race returns with the winner; its own supervisor ends a moment later.
      await waitFor(() => kairos.processes('supervisor', 'daemon').length === 2, { what: 'one of each' });
      const [daemon] = kairos.processes('daemon');
      expect(started.map(({ pid }) => pid)).toEqual(started.map(() => daemon?.pid));
    } finally {
      await kairos.dispose();
    }
  });

  it('"daemon run" says who holds it', () =>
    withKairos({}, async (kairos) => {
      const { pid } = await kairos.json<{ pid: number }>(['daemon', 'status']);
      const second = await kairos.cli(['daemon', 'run']);
      expect({ code: second.code, stderr: second.stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining(String(pid)),
      });
    }));
});

describe('The configured port', () => {
  it('is used; where it is taken, another one is, and doctor says so', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      await withKairos({ settings: { bridge: { port } } }, async (kairos) => {
        const { url } = await kairos.json<{ url: string }>(['daemon', 'status']);
        const doctor = await kairos.cli(['doctor', '--json']);
        const sent = await settle(kairos, 'help');
        expect({
          other: url.includes(`:${port}`),
          told: doctor.stdout.includes(String(port)),
          code: doctor.code,
          state: sent.state,
        }).toEqual({
          other: false,
          told: true,
          code: 1,
          state: 'settled',
        });
      });
    } finally {
      server.close();
    }
  });
});
