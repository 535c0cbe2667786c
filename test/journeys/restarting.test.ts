import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { killNow } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, fileHas, send, settled, workFile } from './support/conversation.ts';

const free = ['--mode', 'bypassPermissions', '--session', 'main'];

describe('A restart with one message in a long turn and two queued', () => {
  it.each(['in order', 'by kill -9 of the daemon', 'by kill -9 of the supervisor'] as const)(
    '%s: all three are answered once, in order',
    (how) =>
      withKairos({}, async (kairos) => {
        const first = await send(
          kairos,
          'run echo one >> order.txt; while [ ! -e go ]; do sleep 0.05; done\nrun echo two >> order.txt',
          ...free,
        );
        await fileHas(kairos, 'order.txt', 'one');
        const second = await send(kairos, 'run echo three >> order.txt', ...free);
        const third = await send(kairos, 'run echo four >> order.txt', ...free);
        // The command ends only now: it runs for certain when it is killed, and an orderly stop need not wait long.
        const go = (): void => writeFileSync(join(kairos.work, 'go'), '');
        if (how === 'in order') {
          const restarted = kairos.json(['daemon', 'restart']);
          go();
          await restarted;
        } else {
          const role = how.endsWith('daemon') ? 'daemon' : 'supervisor';
          for (const { pid } of kairos.processes(role)) killNow(pid);
          go();
          if (role === 'supervisor') {
            await kairos.nothingLeft();
            await kairos.startDaemon();
          }
        }
        const answers = await Promise.all(
          [first, second, third].map(({ message }) =>
            waitFor(() => settled(kairos, message), { what: 'an answer', withinMs: 30_000 }),
          ),
        );
        const log = await kairos.exported('main');
        expect({
          states: answers.map(({ state }) => state),
          settled: bodies(log, 'message.settled').map(({ message }) => message),
          file: workFile(kairos, 'order.txt'),
          unknown: bodies(log, 'call.ended').filter(({ result }) => result.outcome === 'unknown').length,
        }).toEqual({
          states: ['settled', 'settled', 'settled'],
          settled: [first, second, third].map(({ message }) => message),
          file: 'one\ntwo\nthree\nfour\n',
          // An orderly stop waits for the running command; one that was killed may have had its effect: marked, never repeated.
          unknown: how === 'in order' ? 0 : 1,
        });
      }),
  );
});

describe('Something that asks when everything is restarted', () => {
  it('is still asked under its code, and the verdict counts', () =>
    withKairos({}, async (kairos) => {
      const { message } = await send(kairos, 'run echo kept > kept.txt', '--session', 'asked');
      const before = await kairos.approval();
      await kairos.json(['daemon', 'restart']);
      const after = await kairos.approval();
      await kairos.json(['approve', after.code]);
      await settled(kairos, message);
      expect({ code: after.code, file: workFile(kairos, 'kept.txt') }).toEqual({
        code: before.code,
        file: 'kept\n',
      });
    }));

  it('is answered while no worker lives: the verdict wakes the session', () =>
    withKairos({ settings: { sessions: { hibernateAfterSeconds: 0.2 } } }, async (kairos) => {
      const { message } = await send(kairos, 'run echo woke > woke.txt', '--session', 'asked');
      const { code } = await kairos.approval();
      await waitFor(() => kairos.processes('worker').length === 0, { what: 'hibernation' });
      await kairos.json(['approve', code]);
      await settled(kairos, message);
      expect(workFile(kairos, 'woke.txt')).toBe('woke\n');
    }));
});
