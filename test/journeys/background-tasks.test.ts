import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { call, calls, type Script, text } from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer } from '../support/models/start.ts';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { isLiving, killNow } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, fileHas, settle, workFile } from './support/conversation.ts';

/** `please start <command>` starts it in the background; everything else is answered in words. */
function model(ask: Ask): Script {
  const last = ask.turns.at(-1);
  const command = /please start (.*)/.exec(last?.text ?? '')?.[1];
  if (command !== undefined && last?.results.length === 0)
    return [calls(call('Bash', { command, run_in_background: true }))];
  if (last?.text.endsWith('please wait') && last.results.length === 0)
    return [calls(call('Bash', { command: 'echo yes > waiting; sleep 600' }))];
  return [text(last?.text.includes('[background task ended]') === true ? 'I heard of it.' : 'Done.')];
}

/** A command that only SIGKILL ends; its pid is in `<name>.pid`. */
const deaf = (name: string): string =>
  `trap "" TERM INT HUP; echo $$ > ${name}.pid; while :; do sleep 0.1; done`;

describe('A command in the background', () => {
  let server: ModelServer;
  let kairos: Kairos;
  beforeAll(async () => {
    server = await startModelServer('anthropic', { apiKey: 'key', answer: model });
    kairos = await startKairos({
      env: { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url, KAIROS_MODEL: '' },
      settings: { sessions: { hibernateAfterSeconds: 1 } },
    });
  });
  afterAll(async () => {
    await kairos.dispose();
    await server.close();
  });

  const facts = async (name: string) =>
    (await kairos.sessions()).find((session) => session.name === name) as
      | { readonly pid: number | null; readonly background: number }
      | undefined;
  const started = async (name: string, command: string): Promise<number> => {
    await settle(kairos, `please start ${command}`, '--session', name);
    await fileHas(kairos, `${name}.pid`, '\n');
    return Number(workFile(kairos, `${name}.pid`));
  };
  /** What the model was told of ends, once the turn about them is over. */
  const told = (name: string): Promise<string[]> =>
    waitFor(
      async () => {
        const log = await kairos.exported(name);
        const texts = bodies(log, 'message.received').filter(({ kind }) => kind === 'task_ended');
        const over = log.findLastIndex(({ type }) => type === 'turn.ended');
        const heard = log.findLastIndex(({ body }) => body.kind === 'task_ended');
        return texts.length > 0 && over > heard ? texts.map((body) => body.text as string) : undefined;
      },
      { what: `the end of the task of ${name}`, withinMs: 20_000 },
    );
  const gone = (pid: number): Promise<unknown> =>
    waitFor(() => !isLiving(pid), { what: 'the end of the command', withinMs: 5_000 });

  it('keeps its worker awake, and wakes the session with its end, its output in a file', async () => {
    await settle(
      kairos,
      'please start echo begun; while [ ! -e go ]; do sleep 0.1; done; echo the end; exit 3',
      '--session',
      'build',
    );
    await settle(kairos, 'hello', '--session', 'other');
    await waitFor(async () => (await facts('other'))?.pid === null, { what: 'the other session to sleep' });
    const meanwhile = await facts('build');
    writeFileSync(join(kairos.work, 'go'), '');
    const texts = await told('build');
    const [{ output, task }] = bodies(await kairos.exported('build'), 'task.began');
    expect({
      meanwhile: [meanwhile?.pid !== null, meanwhile?.background],
      texts,
      ended: bodies(await kairos.exported('build'), 'task.ended'),
      asked: server.requests.filter(({ ask }) => ask?.turns.at(-1)?.text.includes(task)).length,
    }).toEqual({
      meanwhile: [true, 1],
      texts: [
        expect.stringMatching(
          /^\[background task ended\] tsk_\w+: echo begun;.*\nExit code 3 after \d+ s; its output is in .*\.txt\nThe last of it:\n> begun\n> the end$/,
        ),
      ],
      ended: [expect.objectContaining({ how: 'exited', code: 3 })],
      asked: 1,
    });
    expect(output).toBe(
      join(kairos.home, 'scratch', ((await facts('build')) as { id?: string }).id ?? '', `${task}.txt`),
    );
    await waitFor(async () => (await facts('build'))?.pid === null, { what: 'the session to sleep' });
  }, 60_000);

  it('is gone 5 s after kill -9 of its worker, and the model is told once that nobody knows its outcome', async () => {
    const pid = await started('worker', deaf('worker'));
    killNow((await facts('worker'))?.pid as number);
    await gone(pid);
    expect(await told('worker')).toEqual([expect.stringContaining('the process that held it is gone')]);
  }, 60_000);

  it('ends when a person interrupts, which begins no turn and is read with the next message', async () => {
    const pid = await started('stopped', deaf('stopped'));
    await kairos.json(['send', 'please wait', '--session', 'stopped']);
    await fileHas(kairos, 'waiting', 'yes');
    await kairos.cli(['interrupt', 'stopped']);
    await gone(pid);
    const ended = (): Promise<unknown[]> =>
      kairos.exported('stopped').then((log) => bodies(log, 'task.ended').map(({ how }) => how));
    await waitFor(async () => (await ended()).length > 0, { what: 'the stored end' });
    await waitFor(async () => (await facts('stopped'))?.pid === null, { what: 'the session to rest' });
    const turns = bodies(await kairos.exported('stopped'), 'turn.began').length;
    await settle(kairos, 'hello', '--session', 'stopped');
    expect([await ended(), turns, await told('stopped')]).toEqual([
      ['interrupted'],
      2,
      [expect.stringContaining('Stopped when a person interrupted the work')],
    ]);
  }, 60_000);

  it('is gone after an orderly stop, and told once at the next start', async () => {
    const pid = await started('orderly', deaf('orderly'));
    await kairos.stopDaemon();
    await gone(pid);
    await kairos.startDaemon();
    expect(await told('orderly')).toEqual([expect.stringContaining('the process that held it is gone')]);
  }, 60_000);

  it('is gone 5 s after kill -9 of the daemon, and told once by the next one', async () => {
    const pid = await started('daemon', deaf('daemon'));
    for (const { pid: daemon } of kairos.processes('daemon')) killNow(daemon);
    await gone(pid);
    expect(await told('daemon')).toEqual([expect.stringContaining('the process that held it is gone')]);
    expect(bodies(await kairos.exported('daemon'), 'task.ended')).toEqual([
      expect.objectContaining({ how: 'lost' }),
    ]);
  }, 60_000);
});
