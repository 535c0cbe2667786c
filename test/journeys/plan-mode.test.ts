import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { call, calls, type Script, text } from '../support/models/script.ts';
import { wireNames } from '../support/models/start.ts';
import { type ModelHome, startModelHome } from '../support/real/model-home.ts';
import { replyText, send, settled, workFile } from './support/conversation.ts';

const plan = '## Greet the world\n\n1. Write hello.txt';

/** Tries a command and a change, presents its plan, and once it is approved makes the change; then it repeats the last result. */
function model(ask: Ask): Script {
  const last = ask.turns.at(-1);
  const [result] = last?.results ?? [];
  const said = result?.text ?? '';
  if (result === undefined) return [calls(call('Bash', { command: 'echo x > made.txt' }))];
  if (/present the plan/.test(said))
    return [calls(call('UseTool', { name: 'ExitPlanMode', input: { plan } }))];
  if (/approved the plan/.test(said))
    return [calls(call('Write', { file_path: 'hello.txt', content: 'hello\n' }))];
  return [text(said)];
}

async function modeOf({ kairos }: ModelHome, session: string): Promise<string> {
  const { stdout } = await kairos.cli(['sessions', '--json']);
  const list = JSON.parse(stdout) as readonly { readonly name: string; readonly mode: string }[];
  return list.find(({ name }) => name === session)?.mode ?? '';
}

describe.each(wireNames)('Plan mode over the %s wire', (wire) => {
  let home: ModelHome;
  beforeAll(async () => {
    home = await startModelHome(wire, { server: { answer: model } });
  });
  afterAll(() => home.dispose());

  it('changes nothing until the plan is approved; approved for the session, files then change unasked', async () => {
    const { kairos, server } = home;
    const { message } = await send(kairos, 'greet the world', '--session', 'planner', '--mode', 'plan');
    const asked = await kairos.approval();
    const before = [
      workFile(kairos, 'made.txt'),
      workFile(kairos, 'hello.txt'),
      await modeOf(home, 'planner'),
    ];
    await kairos.cli(['approve', asked.code, '--scope', 'session']);
    const reply = replyText(await settled(kairos, message));
    const told = server.requests.some(({ rawBody }) => rawBody.includes('This session is in plan mode'));
    expect({
      asked: [asked.headline, asked.preview],
      before,
      told,
      mode: await modeOf(home, 'planner'),
      made: [workFile(kairos, 'made.txt'), workFile(kairos, 'hello.txt')],
      reply: /hello\.txt/.test(reply),
    }).toEqual({
      asked: ['Plan: Greet the world', plan],
      before: [null, null, 'plan'],
      told: true,
      mode: 'acceptEdits',
      made: [null, 'hello\n'],
      reply: true,
    });
  });

  it('goes on when the plan is denied, and the model reads why', async () => {
    const { kairos } = home;
    const { message } = await send(kairos, 'greet the world', '--session', 'denied', '--mode', 'plan');
    const asked = await kairos.approval();
    await kairos.cli(['deny', asked.code, '--reason', 'in French']);
    const reply = replyText(await settled(kairos, message));
    expect([reply.includes('"in French"'), await modeOf(home, 'denied')]).toEqual([true, 'plan']);
  });
});
