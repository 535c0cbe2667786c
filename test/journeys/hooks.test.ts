import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, replyText, type Sent, settle, workFile } from './support/conversation.ts';
import { decision, type HookWish, hooksSection, saying, script } from './support/hook-settings.ts';

const canary = 'canary4b1f22-value';
let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos({ env: { CANARY_API_KEY: canary, ANTHROPIC_API_KEY: canary, PLAIN: 'kept' } });
});
afterEach(() => kairos.writeSettings({}));
afterAll(() => kairos.dispose());

function useHooks(wishes: readonly HookWish[], more: Record<string, unknown> = {}): void {
  kairos.writeSettings({ ...more, hooks: hooksSection(wishes) });
}

/** Sends where the mode asks and nobody answers within the time. */
function sendAsking(text: string, session: string): Promise<Sent> {
  return kairos.json<Sent>(['send', text, '--session', session, '--wait', '--timeout', '20']);
}

const ran = async (session: string) =>
  bodies(await kairos.exported(session), 'hook.ran').map(({ event, outcome, text }) => [
    event,
    outcome,
    text,
  ]);

describe('A PreToolUse hook', () => {
  it('that ends with 2 stops the call; the model and the log read why; without it the next call runs', async () => {
    useHooks([{ event: 'PreToolUse', matcher: 'Bash', command: 'echo "not on a Monday" >&2; exit 2' }]);
    const stopped = await settle(kairos, 'run echo x >> stopped.txt', '--session', 'stopped');
    const before = workFile(kairos, 'stopped.txt');
    kairos.writeSettings({});
    await settle(kairos, 'run echo x >> stopped.txt', '--session', 'stopped');
    expect([
      replyText(stopped).includes('not on a Monday'),
      before,
      workFile(kairos, 'stopped.txt'),
      await ran('stopped'),
    ]).toEqual([true, null, 'x\n', [['PreToolUse', 'blocked', 'denied a call: not on a Monday']]]);
  });

  it('gets the call as JSON and the environment of tools: no secrets, no way to the home', async () => {
    const command = script(kairos, 'look.sh', 'cat > got.json; env > got-env.txt');
    useHooks([{ event: 'PreToolUse', command }]);
    await settle(kairos, 'run true', '--session', 'looked');
    const [session] = (await kairos.sessions()).filter(({ name }) => name === 'looked');
    const names = new Set(
      (workFile(kairos, 'got-env.txt') ?? '').split('\n').map((line) => line.split('=')[0]),
    );
    expect([
      JSON.parse(workFile(kairos, 'got.json') ?? 'null'),
      ['PLAIN', 'KAIROS_PROJECT_DIR', 'CLAUDE_PROJECT_DIR', 'KAIROS_HOME', 'CANARY_API_KEY'].filter((name) =>
        names.has(name),
      ),
      workFile(kairos, 'got-env.txt')?.includes(canary),
    ]).toEqual([
      {
        session_id: session?.id,
        session_name: 'looked',
        transcript_path: '',
        cwd: kairos.work,
        permission_mode: 'bypassPermissions',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'true' },
        tool_use_id: expect.any(String),
      },
      ['PLAIN', 'KAIROS_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
      false,
    ]);
  });

  it.each([
    [
      'hangs with a child that ignores signals',
      `(trap "" TERM HUP INT; sleep 971) & sleep 971`,
      'did not end within 1 s and was stopped',
    ],
    ['floods', 'head -c 1000000000 /dev/zero', 'wrote more than 1 MB and was stopped'],
    ['crashes', 'kill -SEGV $$', 'ended by signal SIGSEGV'],
    ['is not there', '/nowhere/hook.sh', expect.stringContaining('ended with exit code 127')],
    ['says no JSON', `echo '{"hookSpecificOutput": {'`, 'wrote what begins like JSON and is none'],
    [
      'lies about the shape',
      `echo '{"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": 5}}'`,
      expect.stringContaining('wrote JSON of another shape'),
    ],
  ])('that %s has no say, within its time, and nothing of it is left', async (what, command, text) => {
    useHooks([{ event: 'PreToolUse', command, timeout: 1 }]);
    const session = what.replaceAll(' ', '-').slice(0, 20);
    const began = Date.now();
    await settle(kairos, `run echo ran >> ${session}.txt`, '--session', session);
    expect([workFile(kairos, `${session}.txt`), await ran(session), Date.now() - began < 10_000]).toEqual([
      'ran\n',
      [['PreToolUse', 'failed', text]],
      true,
    ]);
    await waitFor(() => kairos.processes().every((each) => !each.command.includes('sleep 971')), {
      what: 'the end of what the hook started',
    });
  });

  it('that allows spares the question, but not where a deny or an ask rule speaks', async () => {
    const allow = { event: 'PreToolUse', command: saying(kairos, 'allow.sh', decision('allow')) };
    useHooks([allow], { permissions: { deny: ['Bash(echo denied)'], ask: ['Bash(echo asked)'] } });
    const unasked = await sendAsking('run echo unasked', 'allow');
    const denied = await sendAsking('run echo denied', 'allow');
    const waiting = kairos.start(['send', 'run echo asked', '--session', 'allow', '--wait', '--json']);
    const { code, headline } = await kairos.approval();
    await kairos.json(['deny', code]);
    await waiting.ended;
    expect([
      replyText(unasked).includes('unasked'),
      replyText(denied).includes('Not allowed'),
      headline,
    ]).toEqual([true, true, 'Bash: echo asked']);
  });

  it('that changes the input: what it wants is prepared, decided on, run and told', async () => {
    const change = (command: string) => decision('allow', { updatedInput: { command } });
    useHooks([
      { event: 'PreToolUse', command: saying(kairos, 'change.sh', change('echo new >> changed.txt')) },
    ]);
    const changed = await sendAsking('run echo old >> changed.txt', 'changed');
    useHooks(
      [{ event: 'PreToolUse', command: saying(kairos, 'evil.sh', change('echo evil >> changed.txt')) }],
      {
        permissions: { deny: ['Bash(echo evil *)'] },
      },
    );
    await sendAsking('run echo old >> changed.txt', 'changed');
    useHooks([
      {
        event: 'PreToolUse',
        command: saying(kairos, 'bad.sh', decision('allow', { updatedInput: { cmd: 'x' } })),
      },
    ]);
    await sendAsking('run echo old >> changed.txt', 'changed');
    const log = await kairos.exported('changed');
    expect([
      workFile(kairos, 'changed.txt'),
      replyText(changed).includes('changed the input of this call'),
      bodies(log, 'call.began')
        .filter(({ tool, class: kind }) => tool === 'Bash' && kind !== 'pure')
        .map(({ input }) => input),
      bodies(log, 'call.ended')
        .filter(({ tool }) => tool === 'Bash')
        .map(({ result }) => result.outcome),
    ]).toEqual(['new\n', true, [{ command: 'echo new >> changed.txt' }], ['ok', 'denied', 'error']]);
  });

  it('that asks or defers has a person asked also where the mode would not', async () => {
    for (const wish of ['ask', 'defer']) {
      useHooks([{ event: 'PreToolUse', command: saying(kairos, `${wish}.sh`, decision(wish)) }]);
      const mode = wish === 'ask' ? 'bypassPermissions' : 'dontAsk';
      const waiting = kairos.start([
        'send',
        `run echo ${wish} >> wish.txt`,
        '--session',
        wish,
        '--mode',
        mode,
        '--wait',
        '--json',
      ]);
      const { code } = await kairos.approval();
      await kairos.json(['approve', code]);
      await waiting.ended;
    }
    expect(workFile(kairos, 'wish.txt')).toBe('ask\ndefer\n');
  });
});

it('a guard that does not work is told once in the conversation and by doctor until it runs well; onFailure deny holds', async () => {
  const command = script(kairos, 'gate.sh', 'exit 3');
  useHooks([{ event: 'PreToolUse', matcher: 'Bash', command }]);
  for (const name of ['1', '2']) await settle(kairos, `run echo ${name} >> gated.txt`, '--session', 'gated');
  const told = bodies(await kairos.exported('gated'), 'hook.ran').map(({ outcome, broken }) => [
    outcome,
    broken ?? null,
  ]);
  const doctor = async (): Promise<string[]> => {
    const { json } = await kairos.cli(['doctor', '--json']);
    const { checks } = json as { checks: readonly { name: string; state: string; detail: string }[] };
    return checks
      .filter(({ name }) => name === 'hook')
      .map(({ state, detail }) => `${state} ${/gate\.sh/.test(detail)}`);
  };
  const broken = await doctor();
  kairos.writeSettings({
    hooks: { onFailure: 'deny', ...hooksSection([{ event: 'PreToolUse', matcher: 'Bash', command }]) },
  });
  await settle(kairos, 'run echo 3 >> gated.txt', '--session', 'gated');
  const held = workFile(kairos, 'gated.txt');
  script(kairos, 'gate.sh', 'exit 0');
  await settle(kairos, 'run echo 4 >> gated.txt', '--session', 'gated');
  expect([told, broken, held, workFile(kairos, 'gated.txt'), await doctor()]).toEqual([
    [
      ['failed', 'passes'],
      ['failed', null],
    ],
    ['fail true'],
    '1\n2\n',
    '1\n2\n4\n',
    [],
  ]);
});
