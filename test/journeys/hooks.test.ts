import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { killNow } from '../support/real/processes.ts';
import { type Kairos, startKairos, withKairos } from '../support/real/kairos.ts';
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

describe('A PermissionRequest hook', () => {
  const event = 'PermissionRequest';
  const said = (behavior: string): unknown => ({
    hookSpecificOutput: { hookEventName: event, decision: { behavior, message: 'not today' } },
  });
  const decided = async (session: string) =>
    bodies(await kairos.exported(session), 'prompt.decided').map(({ by, verdict }) => [
      by.surface,
      by.principal,
      verdict,
    ]);

  it('answers in the place of a person, once, by its name', async () => {
    const [allow, deny] = [
      saying(kairos, 'p-allow.sh', said('allow')),
      saying(kairos, 'p-deny.sh', said('deny')),
    ];
    useHooks([{ event, matcher: 'Bash', command: allow }]);
    const allowed = await sendAsking('run echo yes', 'permit');
    useHooks([{ event, command: deny }]);
    const denied = await sendAsking('run echo no', 'permit');
    expect([
      await decided('permit'),
      replyText(allowed).includes('yes'),
      replyText(denied).includes('not today'),
    ]).toEqual([
      [
        ['hook', `hook (${allow}, user settings)`, { behavior: 'allow', scope: 'once' }],
        ['hook', `hook (${deny}, user settings)`, { behavior: 'deny', reason: 'not today' }],
      ],
      true,
      true,
    ]);
  });

  it('that takes its time is overtaken by a person, and ended', async () => {
    useHooks([{ event, command: 'sleep 972' }]);
    const waiting = kairos.start(['send', 'run echo first', '--session', 'first', '--wait', '--json']);
    const { code } = await kairos.approval();
    await waitFor(() => kairos.processes().some(({ command }) => command.includes('sleep 972')), {
      what: 'the hook',
    });
    await kairos.json(['approve', code]);
    expect(replyText((await waiting.ended).json as Sent)).toContain('first');
    await waitFor(() => kairos.processes().every(({ command }) => !command.includes('sleep 972')), {
      what: 'its end',
    });
  });

  it('does not stand in for the person where a rule asks', async () => {
    useHooks([{ event, command: saying(kairos, 'p-rule.sh', said('allow')) }], {
      permissions: { ask: ['Bash(echo rule)'] },
    });
    const waiting = kairos.start(['send', 'run echo rule', '--session', 'ruled', '--wait', '--json']);
    const { code } = await kairos.approval();
    await kairos.json(['deny', code]);
    await waiting.ended;
    expect((await decided('ruled')).map(([surface]) => surface)).toEqual(['viewers']);
  });
});

describe('Hooks of messages and turns', () => {
  it('a message that UserPromptSubmit blocks is answered with why and never reaches the model', async () => {
    useHooks([
      {
        event: 'UserPromptSubmit',
        command: 'grep -q forbidden && { echo "no such words" >&2; exit 2; }; exit 0',
      },
    ]);
    const blocked = await settle(kairos, 'run echo forbidden >> blocked.txt', '--session', 'blocked');
    const fine = await settle(kairos, 'run echo fine >> blocked.txt', '--session', 'blocked');
    const log = await kairos.exported('blocked');
    expect([
      replyText(blocked),
      workFile(kairos, 'blocked.txt'),
      replyText(fine).includes('fine'),
      bodies(log, 'hook.ran').map(({ withheld }) => withheld),
    ]).toEqual([expect.stringContaining('no such words'), 'fine\n', true, ['m1']]);
  });

  it('a Stop hook that is never content makes a turn go on three times and no more', async () => {
    useHooks([{ event: 'Stop', command: 'echo "the tests fail" >&2; exit 2' }]);
    await settle(kairos, 'run true', '--session', 'stop');
    const nudges = bodies(await kairos.exported('stop'), 'turn.nudged').map(({ text }) =>
      text.includes('the tests fail'),
    );
    expect(nudges).toEqual([true, true, true]);
  });
});

it('Every other event that occurs is told, with what it is about', async () => {
  await withKairos({}, async (own) => {
    const events = [
      'SessionStart',
      'UserPromptSubmit',
      'PostToolUse',
      'FileChanged',
      'Notification',
      'Stop',
      'SessionEnd',
    ];
    const command = `printf '%s\\n' "$(cat)" >> ${own.base}/told.txt`;
    const hooks = hooksSection(events.map((event) => ({ event, command })));
    own.writeSettings({ hooks, sessions: { hibernateAfterSeconds: 2 } });
    await own.json(['daemon', 'restart']);
    await settle(own, 'write told-file.txt: hello', '--session', 'told');
    const waiting = own.start([
      'send',
      'run echo asks',
      '--session',
      'told',
      '--mode',
      'default',
      '--wait',
      '--json',
    ]);
    await own.json(['deny', (await own.approval()).code]);
    await waiting.ended;
    const told = (): Record<string, unknown>[] =>
      (workFile(own, '../told.txt') ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    await waitFor(() => told().some((input) => input.hook_event_name === 'SessionEnd'), {
      what: 'SessionEnd',
    });
    const common = new Set([
      'session_id',
      'session_name',
      'transcript_path',
      'cwd',
      'permission_mode',
      'tool_use_id',
    ]);
    const ownOf = (input: Record<string, unknown>) =>
      Object.entries(input)
        .filter(([key]) => !common.has(key))
        .map(([, value]) => value);
    const file = `${own.work}/told-file.txt`;
    expect(
      told()
        .map(ownOf)
        .toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)),
    ).toEqual([
      ['FileChanged', file, 'Write'],
      ['Notification', 'permission_prompt', 'Bash: echo asks'],
      ['PostToolUse', 'Write', expect.anything(), { outcome: 'ok', output: expect.any(String) }],
      ['SessionEnd', 'released'],
      ['SessionStart', 'startup'],
      ['Stop', false, expect.any(String)],
      ['Stop', false, expect.any(String)],
      ['UserPromptSubmit', 'run echo asks'],
      ['UserPromptSubmit', 'write told-file.txt: hello'],
    ]);
  });
});

describe('Hooks of a project', () => {
  it('run only while its directory is trusted as it is, and their "allow" counts only where the person lets it', async () => {
    const dir = join(kairos.base, 'project');
    mkdirSync(join(dir, '.kairos'), { recursive: true });
    const write = (name: string, output: unknown): void =>
      writeFileSync(
        join(dir, '.kairos', 'settings.json'),
        JSON.stringify({
          hooks: hooksSection([{ event: 'PreToolUse', command: saying(kairos, name, output) }]),
        }),
      );
    const trust = async (): Promise<void> => {
      const [shown] = await kairos.json<readonly { digest: string }[]>(['trust', dir]);
      await kairos.json(['trust', dir, '--accept', shown?.digest.slice(0, 12) ?? '']);
    };
    const sent = (text: string): Promise<Sent> => settle(kairos, text, '--session', 'project', '--dir', dir);
    write('one.sh', decision('deny', { permissionDecisionReason: 'the first' }));
    const untrusted = replyText(await sent('run echo one'));
    await trust();
    const trusted = replyText(
      await kairos.json<Sent>(['send', 'run echo two', '--session', 'project', '--wait']),
    );
    write('two.sh', decision('deny', { permissionDecisionReason: 'the second' }));
    const changed = replyText(
      await kairos.json<Sent>(['send', 'run echo three', '--session', 'project', '--wait']),
    );
    write('three.sh', decision('allow'));
    await trust();
    await kairos.json(['mode', 'project', 'dontAsk']);
    const ignored = replyText(
      await kairos.json<Sent>(['send', 'run echo four', '--session', 'project', '--wait']),
    );
    kairos.writeSettings({ hooks: { projectAllow: true } });
    const counted = replyText(
      await kairos.json<Sent>(['send', 'run echo five', '--session', 'project', '--wait']),
    );
    expect([
      untrusted.includes('one'),
      trusted.includes('the first'),
      changed.includes('the second'),
      ignored.includes('not allowed'),
      counted.includes('not allowed'),
    ]).toEqual([true, true, false, true, false]);
  });
});

it('A worker that is killed while a hook looks at a call leaves the call undecided: the hook is asked again', async () => {
  const gate = join(kairos.base, 'gate');
  const command = script(
    kairos,
    'slow.sh',
    `echo ran >> ${kairos.base}/hook-ran.txt; test -e ${gate} || sleep 973`,
  );
  useHooks([{ event: 'PreToolUse', command }]);
  const waiting = kairos.start([
    'send',
    'run echo once >> once.txt',
    '--session',
    'killed',
    '--mode',
    'bypassPermissions',
    '--wait',
    '--json',
  ]);
  await waitFor(() => kairos.processes().some((each) => each.command.includes('sleep 973')), {
    what: 'the hook',
  });
  writeFileSync(gate, '');
  const [session] = (await kairos.sessions()).filter(({ name }) => name === 'killed');
  killNow(session?.pid ?? 0);
  await waiting.ended;
  expect([
    workFile(kairos, 'once.txt'),
    workFile(kairos, '../hook-ran.txt'),
    bodies(await kairos.exported('killed'), 'call.ended').map(({ result }) => result.outcome),
  ]).toEqual(['once\n', 'ran\nran\n', ['ok']]);
});
