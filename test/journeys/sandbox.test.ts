import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSandbox } from '../../electron/node/sandbox-state.ts';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { type Sent, replyText, workFile } from './support/conversation.ts';

const state = await findSandbox();
const reason = state.kind === 'ready' ? null : `${state.why} ${state.next}`;
if (reason !== null) process.stderr.write(`the journey of the sandbox is skipped: ${reason}\n`);

describe.skipIf(reason !== null)('A session in the sandbox', () => {
  let kairos: Kairos;
  beforeAll(async () => {
    kairos = await startKairos({ settings: { sandbox: { exclude: ['Bash(touch outside.txt)'] } } });
  });
  afterAll(() => kairos.dispose());

  /** The wish is part of making a session. */
  const run = (command: string, ...options: string[]) =>
    kairos.start(['send', `run ${command}`, '--session', 'shut', '--wait', '--json', ...options]);

  it('the person reads that it is shut in; it reaches its directory and neither home nor port of Kairos', async () => {
    const { port } = JSON.parse(readFileSync(join(kairos.home, 'daemon.json'), 'utf8')) as { port: number };
    const command = `echo in > made.txt; ls -A ${kairos.home}; cat ${kairos.home}/daemon.json; (: < /dev/tcp/127.0.0.1/${port}); echo x > /etc/kairos-made`;
    const waiting = run(command, '--sandbox', 'required');
    const { code, headline, preview } = await kairos.approval();
    await kairos.json(['approve', code]);
    const said = replyText((await waiting.ended).json as Sent);
    expect({
      headline: headline.startsWith('Bash in the sandbox: '),
      preview: preview.split('\n').at(-1),
      made: workFile(kairos, 'made.txt'),
      // Of its home a command sees the scratch folder of its session.
      home: /^scratch$/m.test(said),
      refused: ['No such file', 'Connection refused', 'Read-only file system'].filter((text) =>
        said.includes(text),
      ),
      outside: existsSync('/etc/kairos-made'),
    }).toEqual({
      headline: true,
      preview: '[in the sandbox: writes only in the session directory; no network]',
      made: 'in\n',
      home: true,
      refused: ['No such file', 'Connection refused', 'Read-only file system'],
      outside: false,
    });
  });

  it('what settings let out of it asks and runs outside; a part more and it is shut in again', async () => {
    const [first, second] = ['touch outside.txt', 'touch outside.txt && touch x.txt'];
    const headlines: string[] = [];
    for (const command of [first, second]) {
      const waiting = run(command);
      const { code, headline, preview } = await kairos.approval();
      headlines.push(headline, preview.split('\n').at(-1) ?? '');
      await kairos.json(['approve', code]);
      await waiting.ended;
    }
    expect(headlines).toEqual([
      'Bash: touch outside.txt',
      '[outside the sandbox: sandbox.exclude names it]',
      'Bash in the sandbox: touch outside.txt && touch x.txt',
      '[in the sandbox: writes only in the session directory; no network]',
    ]);
  });
});

it('doctor says whether there is a sandbox', async () => {
  const kairos = await startKairos();
  try {
    const { checks } = await kairos.json<{ checks: { name: string; detail: string }[] }>(['doctor']);
    const detail = checks.find(({ name }) => name === 'sandbox')?.detail;
    expect(detail).toBe(
      state.kind === 'ready'
        ? 'off, can be switched on: bubblewrap works'
        : `off, and there is none: ${state.why}`,
    );
  } finally {
    await kairos.dispose();
  }
});
