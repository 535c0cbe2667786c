import { setTimeout as delay } from 'node:timers/promises';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Kairos, startKairos } from '../support/real/kairos.ts';
import { hasTmux, Terminal, type TerminalOptions } from '../support/real/terminal.ts';
import { waitFor } from '../support/real/wait-for.ts';

/** Longer than a key has to wait at a card (ux.md, 4). */
const armedMs = 700;
// oxlint-disable-next-line no-control-regex
const colours = /\u001b\[\d+m/g;
const title = hasTmux ? 'The terminal viewer' : 'The terminal viewer (skipped: tmux is not installed)';

describe(title, { skip: !hasTmux }, () => {
  let kairos: Kairos;
  let terminals: Terminal[] = [];
  const open = async (args: readonly string[], options?: TerminalOptions, of = kairos): Promise<Terminal> => {
    const terminal = await Terminal.open(of, ['assistant', ...args], options);
    terminals.push(terminal);
    return terminal;
  };
  const session = (name: string): Promise<unknown> => kairos.json(['sessions', 'new', '--name', name]);

  beforeAll(async () => {
    kairos = await startKairos();
  });
  const closeAll = async (): Promise<void> => {
    await Promise.all(terminals.map((terminal) => terminal.close()));
    terminals = [];
  };
  afterEach(closeAll);
  afterAll(() => kairos.dispose());

  it('sets up a first session: directory, model, trust; then it starts Kairos and shows the conversation', async () => {
    const fresh = new Kairos();
    try {
      const terminal = await open([], {}, fresh);
      const first = await terminal.shows('1 of 3');
      await terminal.press('Enter');
      await terminal.shows('2 of 3');
      await terminal.type('2');
      await terminal.shows('3 of 3');
      await delay(armedMs);
      await terminal.press('Enter');
      await terminal.shows('Message Kairos');
      await terminal.type('help');
      await terminal.press('Enter');
      await terminal.shows('run ls -la');
      const [made] = await fresh.sessions();
      expect({
        proposes: first.includes(`> ${fresh.work}`),
        made: { dir: made?.dir, kind: made?.kind },
      }).toEqual({
        proposes: true,
        made: { dir: fresh.work, kind: 'daemon' },
      });
    } finally {
      await closeAll();
      await fresh.dispose();
    }
  });

  it('shows what a directory would run before it is trusted, and Escape leaves everything as it was', async () => {
    const fresh = new Kairos();
    try {
      mkdirSync(join(fresh.work, '.git'));
      writeFileSync(
        join(fresh.work, '.mcp.json'),
        JSON.stringify({ mcpServers: { db: { command: 'db-server', args: ['-x'] } } }),
      );
      const early = await open([], {}, fresh);
      await early.shows('1 of 3');
      await early.press('Escape');
      const code = await early.ended();
      const untouched = readdirSync(fresh.home);
      const late = await open([], {}, fresh);
      await late.shows('1 of 3');
      await late.press('Enter');
      await late.shows('2 of 3');
      await late.press('Enter');
      await late.shows('db-server');
      await late.press('Escape');
      expect({ code, untouched, late: await late.ended(), runs: fresh.processes().length }).toEqual({
        code: 0,
        untouched: [],
        late: 0,
        runs: 0,
      });
    } finally {
      await closeAll();
      await fresh.dispose();
    }
  });

  it('ends the set-up at once with its reason when Kairos cannot be started, and asks again for a directory that is none', async () => {
    const broken = new Kairos();
    writeFileSync(join(broken.home, 'logs'), 'in the way');
    try {
      const terminal = await open([], {}, broken);
      await terminal.shows('1 of 3');
      await terminal.type('/nowhere');
      await terminal.press('Enter');
      await terminal.shows('does not exist');
      await terminal.press('C-u');
      await terminal.type(broken.work);
      await terminal.press('Enter');
      await terminal.shows('2 of 3');
      await terminal.press('Enter');
      const code = await terminal.ended();
      const screen = (await terminal.screen()).join(' ');
      expect({ code, why: screen.includes('logs'), runs: broken.processes().length }).toEqual({
        code: 1,
        why: true,
        runs: 0,
      });
    } finally {
      await closeAll();
      await broken.dispose();
    }
  });

  it('lets one choose among several sessions, and refuses a name that is none with those that are', async () => {
    await session('docs');
    await session('payments');
    const terminal = await open([]);
    const list = await terminal.shows('Which session?');
    await terminal.press('Escape');
    const cancelled = await terminal.ended();
    const unknown = await open(['nowhere']);
    await unknown.shows('There is no session "nowhere"');
    expect({
      names: ['docs', 'payments'].filter((name) => list.some((row) => row.includes(name))),
      cancelled,
      unknown: [(await unknown.screen()).join('').includes('docs'), await unknown.ended()],
    }).toEqual({ names: ['docs', 'payments'], cancelled: 0, unknown: [true, 1] });
  });

  it('allows a command by key after Tab and a moment, and shows who answered what was answered elsewhere', async () => {
    await session('approving');
    const terminal = await open(['approving', '--prompt', 'run echo allowed > proof.txt']);
    const card = await terminal.shows('Tab, then y or n');
    await terminal.type('y');
    await terminal.shows('> y');
    await terminal.press('BSpace', 'Tab');
    await terminal.shows('y Allow once');
    await delay(armedMs);
    await terminal.type('y');
    await terminal.shows('allowed once by you');
    await waitFor(() => existsSync(join(kairos.work, 'proof.txt')), { what: 'the effect' });
    await terminal.press('Tab');
    await terminal.type('run echo second');
    await terminal.press('Enter');
    await terminal.shows('Tab, then y or n');
    const { code } = await kairos.approval();
    await kairos.json(['deny', code]);
    const ended = await terminal.shows('denied by the owner, elsewhere');
    expect({
      command: card.some((row) => row.includes('echo allowed > proof.txt')),
      card: ended.some((row) => row.includes('Tab, then')),
    }).toEqual({
      command: true,
      card: false,
    });
  });

  it('fits every size: what was wide is wrapped anew at 40 columns, and the caret stands behind wide characters', async () => {
    await session('sizes');
    await kairos.json(['send', 'help', '--session', 'sizes', '--wait']);
    const terminal = await open(['sizes'], { columns: 140, rows: 30 });
    await terminal.shows('edit notes.txt');
    await terminal.type('支付 ok');
    await terminal.shows('> 支付 ok');
    await terminal.resize(40, 20);
    const narrow = await terminal.shows(/^> 支付 ok$/);
    await terminal.shows(/^─{40}$/);
    const caret = await terminal.caret();
    await terminal.resize(80, 8);
    const low = await terminal.shows(/^─{80}$/);
    expect({
      widest: Math.max(...narrow.map((row) => row.length)),
      caret: { x: caret.x, isShown: caret.isShown },
      low: low.filter((row) => row.startsWith('> 支付')).length,
    }).toEqual({
      widest: 40,
      caret: { x: 9, isShown: true },
      low: 1,
    });
  });

  it('Ctrl+C clears what was typed, again it leaves; the agent goes on and the terminal is as it was', async () => {
    await session('leaving');
    const terminal = await open(['leaving', '--prompt', 'sleep 3 s\nrun true']);
    await terminal.shows(/Working|Asleep/);
    await terminal.type('half a thought');
    await terminal.press('C-c');
    await waitFor(async () => !(await terminal.screen()).some((row) => row.includes('half a thought')), {
      what: 'a cleared field',
    });
    await terminal.press('C-c');
    const code = await terminal.ended();
    const screen = await terminal.screen();
    await kairos.approval(20_000);
    const devices = await kairos.json<readonly { revokedAt: string | null }[]>(['devices']);
    expect({
      code,
      says: screen.some((row) => row.includes('You left; the agent goes on.')),
      screen: screen.some((row) => row.includes('Message Kairos')),
      signedIn: devices.filter(({ revokedAt }) => revokedAt === null).length,
      mouse: terminal.bytes().lastIndexOf('\u001b[?1000l') > terminal.bytes().lastIndexOf('\u001b[?1000h'),
    }).toEqual({ code: 0, says: true, screen: false, signedIn: 0, mouse: true });
    await kairos.json(['deny', (await kairos.approval()).code]);
  });

  it('keeps its place and what is typed over a restart of the daemon, and shows nothing twice', async () => {
    await session('restarts');
    await kairos.json(['send', 'help', '--session', 'restarts', '--wait']);
    const terminal = await open(['restarts']);
    await terminal.shows('edit notes.txt');
    await terminal.type('still typing');
    await kairos.stopDaemon();
    await terminal.shows(/Reconnecting|not running/);
    await terminal.press('Enter');
    await terminal.shows('Not stored yet');
    await terminal.type('and more');
    await kairos.startDaemon();
    await waitFor(
      async () => !(await terminal.screen()).some((row) => /Reconnecting|not running|Not stored/.test(row)),
      { what: 'the connection' },
    );
    await terminal.shows('> still typing');
    const screen = await terminal.shows('> and more');
    expect(screen.filter((row) => row.includes('still typing')).length).toBe(1);
  });

  it('streams without clearing the screen, and text that would steer a terminal stays text', async () => {
    await session('hostile');
    const evil = 'a\u001b]52;c;ZXZpbA==\u0007b\u001b[2Jc\u202ed\u009b31m';
    await kairos.json(['send', `help`, '--session', 'hostile', '--wait']);
    const terminal = await open(['hostile']);
    await terminal.shows('edit notes.txt');
    const before = terminal.bytes().length;
    await kairos.json(['send', evil, '--session', 'hostile', '--wait']);
    const screen = await terminal.shows('a<U+001B>]52;c;ZXZpbA==<U+0007>b<U+001B>[2Jc<U+202E>d<U+009B>31m');
    const written = terminal.bytes().slice(before);
    // oxlint-disable-next-line no-control-regex
    const clears = written.match(/\u001b\[(?:2|3)?J|\u001b\[H/g) ?? [];
    expect({
      isShown: screen.length > 0,
      clears,
      evil: ['\u001b]52', '\u202e', '\u009b'].filter((part) => terminal.bytes().includes(part)),
    }).toEqual({
      isShown: true,
      clears: [],
      evil: [],
    });
  });

  it('is plain without a terminal, with --plain, ACCESSIBLE and TERM=dumb: it only appends, and moves nothing', async () => {
    await session('plain');
    const piped = await kairos.cli(['assistant', 'plain'], { input: 'help\n' });
    const looks = await Promise.all(
      [
        { name: 'plain-1', more: ['--plain'] },
        { name: 'plain-2', more: [], env: { ACCESSIBLE: '1' } },
        { name: 'plain-3', more: [], env: { TERM: 'dumb' } },
      ].map(async ({ name, more, env }) => {
        // Each in a session of its own: what the others say would scroll away what is waited for.
        await session(name);
        const args = [name, ...more];
        const terminal = await open(args, env === undefined ? {} : { env });
        await terminal.shows('Ctrl+C leaves');
        await terminal.type('help');
        await terminal.press('Enter');
        await terminal.shows('edit notes.txt');
        await terminal.press('C-c');
        const code = await terminal.ended();
        return { code, moves: terminal.bytes().replaceAll(colours, '').includes('\u001b') };
      }),
    );
    expect({
      piped: [
        piped.code,
        piped.stdout.includes('> help'),
        piped.stdout.includes('run ls -la'),
        piped.stdout.includes('\u001b'),
      ],
      looks,
    }).toEqual({
      piped: [0, true, true, false],
      looks: [1, 2, 3].map(() => ({ code: 0, moves: false })),
    });
  });

  it('refuses --json with what to use instead', async () => {
    const refused = await kairos.cli(['assistant', '--json']);
    expect([refused.code, refused.stderr.includes('export SESSION')]).toEqual([2, true]);
  });
});
