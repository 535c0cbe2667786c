import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { killNow } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, replyText, send, settled, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
});
afterAll(() => kairos.dispose());

interface Open {
  readonly code: string;
  readonly headline: string;
}

function open(): Promise<readonly Open[]> {
  return kairos.bridge.get<readonly Open[]>('/prompts');
}

async function opened(count: number): Promise<readonly Open[]> {
  return waitFor(
    async () => {
      const all = await open();
      return all.length === count ? all : undefined;
    },
    { what: `${count} open prompts` },
  );
}

const allow = { verdict: { behavior: 'allow', scope: 'once' } };
const deny = { verdict: { behavior: 'deny', reason: 'no' } };

describe('Prompts', () => {
  it('20 in a row, of one message, are asked one after the other under codes of their own, and each verdict counts for its call', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `run echo ${index} >> row.txt`);
    const { message } = await send(kairos, lines.join('\n'), '--session', 'row');
    const codes: string[] = [];
    for (const index of lines.keys()) {
      const next = await waitFor(async () => (await open()).find(({ code }) => !codes.includes(code)), {
        what: `prompt ${index}`,
      });
      codes.push(next.code);
      const body = index % 2 === 0 ? allow : deny;
      await kairos.bridge.call({ path: `/prompts/${next.code}/verdict`, body });
    }
    await settled(kairos, message);
    const rows = (workFile(kairos, 'row.txt') ?? '').trim().split('\n').map(Number);
    expect({ codes: new Set(codes).size, rows: rows.toSorted((a, b) => a - b) }).toEqual({
      codes: 20,
      rows: lines.flatMap((_, index) => (index % 2 === 0 ? [index] : [])),
    });
  });

  it('five at once, answered out of order by the owner and by a phone in the same instant, have one winner each', async () => {
    const device = await kairos.bridge.call({
      path: '/devices',
      body: { name: 'phone', scopes: ['read', 'approve'] },
    });
    const { token } = device.body as { token: string };
    const sent = await Promise.all(
      [1, 2, 3, 4, 5].map((index) =>
        send(kairos, `run echo ${index} > at-once-${index}.txt`, '--session', `once-${index}`),
      ),
    );
    const prompts = await opened(5);
    const order = [3, 0, 4, 1, 2].flatMap((at) => prompts[at] ?? []);
    const answers = await Promise.all(
      order.flatMap(({ code }) => [
        kairos.bridge.call({ path: `/prompts/${code}/verdict`, body: allow }),
        kairos.bridge.call({ path: `/prompts/${code}/verdict`, body: deny, token }),
      ]),
    );
    await Promise.all(sent.map(({ message }) => settled(kairos, message)));
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map(async (index) => {
        const log = await kairos.exported(`once-${index}`);
        const decided = bodies(log, 'prompt.decided').map(({ verdict }) => verdict.behavior);
        return { decided, ran: workFile(kairos, `at-once-${index}.txt`) !== null };
      }),
    );
    expect({
      answered: answers.every(({ status }) => status === 200 || status === 409),
      one: outcomes.every(({ decided, ran }) => decided.length === 1 && ran === (decided[0] === 'allow')),
      left: await open(),
    }).toEqual({ answered: true, one: true, left: [] });
  });
});

describe('Something that asks, while what it waits in is killed,', () => {
  it.each(['worker', 'daemon', 'supervisor'] as const)('%s: runs once after the verdict', async (kind) => {
    const { message } = await send(kairos, `run echo ${kind} >> killed.txt`, '--session', `killed-${kind}`);
    const [before] = await opened(1);
    for (const { pid } of kairos.processes(kind)) killNow(pid);
    if (kind === 'supervisor') {
      await kairos.nothingLeft(20_000);
      await kairos.startDaemon();
    }
    const after = await waitFor(
      async () => (await kairos.cli(['approvals', '--json'])).json as readonly Open[] | undefined,
      {
        what: 'an answer of the daemon',
      },
    );
    await kairos.json(['approve', after[0]?.code ?? '']);
    await settled(kairos, message);
    const lines = (workFile(kairos, 'killed.txt') ?? '').split('\n').filter((line) => line === kind);
    expect({ code: after[0]?.code, lines }).toEqual({ code: before?.code, lines: [kind] });
  });
});

describe('A file that is not any more what the person saw', () => {
  it('is asked about again, with what it is now; the first yes changes nothing', async () => {
    const path = join(kairos.work, 'seen.txt');
    writeFileSync(path, 'one\ntwo\n');
    const { message } = await send(kairos, 'edit seen.txt: one => 1', '--session', 'preimage');
    const [first] = await opened(1);
    appendFileSync(path, 'three\n');
    await kairos.json(['approve', first?.code ?? '']);
    const again = await waitFor(async () => (await open()).find(({ code }) => code !== first?.code), {
      what: 'the second question',
    });
    const between = workFile(kairos, 'seen.txt');
    await kairos.json(['approve', again.code]);
    const sent = await settled(kairos, message);
    expect([between, workFile(kairos, 'seen.txt'), replyText(sent).includes('denied')]).toEqual([
      'one\ntwo\nthree\n',
      '1\ntwo\nthree\n',
      false,
    ]);
  });
});
