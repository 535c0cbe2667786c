import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { killNow } from '../support/real/processes.ts';
import { type Kairos, startKairos, withKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, replyText, type Sent, settle, workFile } from './support/conversation.ts';
import { decision, type HookWish, hooksSection, saying, script } from './support/hook-settings.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
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

const others = [
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'FileChanged',
  'Notification',
  'Stop',
  'SessionEnd',
];
const common = new Set([
  'session_id',
  'session_name',
  'transcript_path',
  'cwd',
  'permission_mode',
  'tool_use_id',
]);

/** What hooks were told, without what every event has; sorted, because those of one moment run at the same time. */
function toldTo(own: Kairos): unknown[][] {
  const lines = (workFile(own, '../told.txt') ?? '').split('\n').filter((line) => line !== '');
  const told = lines.map((line) => Object.entries(JSON.parse(line)).filter(([key]) => !common.has(key)));
  const values = told.map((members) => members.map(([, value]) => value));
  return values.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

it('Every other event that occurs is told, with what it is about', async () => {
  await withKairos({}, async (own) => {
    const command = `printf '%s\\n' "$(cat)" >> ${own.base}/told.txt`;
    const hooks = hooksSection(others.map((event) => ({ event, command })));
    own.writeSettings({ hooks, sessions: { hibernateAfterSeconds: 2 } });
    await own.json(['daemon', 'restart']);
    await settle(own, 'write told-file.txt: hello', '--session', 'told');
    const ask = ['send', 'run echo asks', '--session', 'told', '--mode', 'default', '--wait', '--json'];
    const waiting = own.start(ask);
    await own.json(['deny', (await own.approval()).code]);
    await waiting.ended;
    await waitFor(() => toldTo(own).some(([event]) => event === 'SessionEnd'), { what: 'SessionEnd' });
    expect(toldTo(own)).toEqual([
      ['FileChanged', `${own.work}/told-file.txt`, 'Write'],
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
