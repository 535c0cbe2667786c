import { describe, expect, test } from 'vitest';
import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import { prompt } from '../../renderer/support/samples.ts';
import { ConversationRig } from './support/conversation-rig.ts';
import { LogWriter } from './support/events.ts';

function talk(): LogWriter {
  const log = new LogWriter();
  log.turn('hello', 'Hi. **What** shall I do?');
  log.turn('list it', 'Two files.', [
    { tool: 'Bash', input: { command: 'ls' } },
    { tool: 'Bash', input: { command: 'ls nowhere' }, outcome: 'error', output: 'no such file' },
  ]);
  return log;
}

const long = (count: number): LogWriter => {
  const log = new LogWriter();
  for (let index = 1; index <= count; index += 1) log.turn(`question ${index}`, `answer ${index}`);
  return log;
};

const away = prompt('p1', {
  sessionName: 'payments',
  expiresAt: 1_000_000 + 3_600_000,
  preview: 'ls -la',
  headline: 'Bash: ls -la',
});
describe('what is shown', () => {
  test('A conversation stands between what the session does and what it costs; calls are folded, failed ones open.', () => {
    const rig = new ConversationRig(60, 22);
    rig.open(talk().events, { view: { state: 'idle', background: 2 } });
    const [header, ...rest] = rig.picture();
    expect({ header, rest: rest.filter((row) => row !== '') }).toEqual({
      header: 'payments  Idle           Woke 2026-11-30 09:02: your message',
      rest: [
        '> hello',
        'Hi. What shall I do?',
        '4.0 s',
        '> list it',
        '▸ 2 calls, 1 failed',
        '✗ Bash ls nowhere  failed',
        '    no such file',
        'Two files.',
        '8.0 s, 2 calls',
        '─'.repeat(60),
        '> Message Kairos',
        '2 background tasks running, offline, $0.61 of $5',
        'Brief  Ctrl+C leaves, the agent goes on  ? keys',
      ],
    });
  });

  test('A mode that is not the usual one stands below, also where the model has no room.', () => {
    const below = (columns: number, mode: PermissionMode): string | undefined => {
      const rig = new ConversationRig(columns, 22);
      rig.open(talk().events, { view: { mode } });
      return rig.picture().at(-2);
    };
    expect([below(60, 'default'), below(60, 'plan'), below(38, 'bypassPermissions')]).toEqual([
      'offline, $0.61 of $5',
      'mode plan, offline, $0.61 of $5',
      'mode bypassPermissions, $0.61 of $5',
    ]);
  });

  test('Ctrl+O shows every step with its decision, and back.', () => {
    const rig = new ConversationRig(60, 24);
    rig.open(talk().events);
    const brief = rig.picture();
    rig.ctrl('o');
    const detail = rig.picture();
    rig.ctrl('o');
    expect({
      isBack: JSON.stringify(rig.picture()) === JSON.stringify(brief),
      detail: detail.filter((row) => row.includes('Decided') || row.startsWith('✓')),
    }).toEqual({
      isBack: true,
      detail: ['✓ Bash ls', '    Decided by mode', '    Decided by mode'],
    });
  });

  test('The reply that is being made is shown as it grows, at most 10 times a second.', () => {
    const rig = new ConversationRig(60, 12);
    rig.open(talk().events, { view: { state: 'working' } });
    let drawn = 0;
    rig.clock.pass(200);
    rig.conversation.subscribe(() => void (drawn += 1));
    for (let index = 0; index < 60; index += 1) {
      rig.frame({
        type: 'draft',
        topic: 'session:s',
        step: 'x',
        part: 0,
        kind: 'text',
        offset: index * 5,
        text: 'word ',
      });
      rig.clock.pass(16);
    }
    expect({
      isSeldom: drawn <= 10,
      last: rig.picture().filter((row) => row.includes('word')).length > 0,
    }).toEqual({ isSeldom: true, last: true });
  });

  test('A message of a chat says its channel, chat and sender.', () => {
    const rig = new ConversationRig(60, 12);
    const log = new LogWriter();
    log.received('is it done?', {
      origin: { principal: 'Ann', trust: 'known', surface: 'telegram' },
      route: { surface: 'telegram', chat: 'ops' },
    });
    rig.open(log.events);
    expect(rig.picture().slice(2, 5)).toEqual(['> [telegram, ops] Ann', '  is it done?', '  Stored, waits']);
  });

  test('Whatever the size, the picture has exactly its rows and no row is wider.', () => {
    const rig = new ConversationRig();
    rig.open(talk().events);
    rig.prompt({ ...away, preview: 'x '.repeat(200) });
    for (const columns of [10, 20, 40, 80, 200])
      for (const rows of [3, 5, 8, 12, 24, 60]) {
        rig.size = { columns, rows };
        rig.picture();
      }
  });

  test('Without a connection it says so and one can go on typing; a daemon that is gone is named.', () => {
    const rig = new ConversationRig(80, 12);
    rig.open(talk().events);
    rig.set({ link: { kind: 'lost', attempts: 1, nobody: false } });
    const lost = rig.picture()[0];
    rig.type('still here');
    rig.set({ link: { kind: 'lost', attempts: 9, nobody: true } });
    expect([lost, rig.picture()[0], rig.picture().at(-2)]).toEqual([
      'payments  Reconnecting… You can go on typing.',
      'payments  Kairos is not running. Start it: kairos daemon start',
      '> still here',
    ]);
  });
});

describe('typing', () => {
  test('Enter sends, Ctrl+J is a new line, and a pasted text with line ends sends nothing.', () => {
    const rig = new ConversationRig();
    rig.open(talk().events);
    rig.type('one');
    rig.press('newline');
    rig.key({ kind: 'paste', text: 'two\r\nthree\r' });
    const typed = rig.picture().filter((row) => /^(> one|  two|  three)/.test(row));
    rig.press('enter');
    expect({ typed, acts: rig.acts }).toEqual({
      typed: ['> one', '  two', '  three'],
      acts: [{ act: 'send', text: 'one\ntwo\nthree\n' }],
    });
  });

  test('The caret stands where the next character comes, also behind wide ones and in a full row.', () => {
    const rig = new ConversationRig(20, 12);
    rig.open(talk().events);
    rig.type('支付 a');
    const first = rig.caret();
    rig.press('left', 'left', 'left');
    const moved = rig.caret();
    rig.press('end');
    rig.type('x'.repeat(12));
    expect([first, moved, rig.caret()]).toEqual([
      { x: 8, y: 9 },
      { x: 4, y: 9 },
      { x: 2, y: 9 },
    ]);
  });

  test('Up brings back what was sent, Down what was being typed, and Ctrl+R searches.', () => {
    const rig = new ConversationRig();
    rig.open(talk().events);
    const field = (): string | undefined => rig.picture().at(-3);
    rig.type('new');
    const seen: (string | undefined)[] = [];
    for (const key of ['up', 'up', 'up', 'down', 'down'] as const) {
      rig.press(key);
      seen.push(field());
    }
    rig.ctrl('r');
    rig.type('HEL');
    seen.push(field());
    rig.press('enter');
    expect([...seen, field()]).toEqual([
      '> list it',
      '> hello',
      '> hello',
      '> list it',
      '> new',
      'search: HEL  hello',
      '> hello',
    ]);
  });

  test('Ctrl+C clears what was typed; again it leaves. Escape interrupts and leaves nothing.', () => {
    const rig = new ConversationRig();
    rig.open(talk().events);
    rig.type('draft');
    rig.press('escape');
    rig.ctrl('c');
    const cleared = { text: rig.conversation.unsentText, acts: [...rig.acts] };
    rig.ctrl('c');
    expect({ cleared, acts: rig.acts }).toEqual({
      cleared: { text: '', acts: [] },
      acts: [{ act: 'leave' }],
    });
  });

  test('A question mark in the empty field lists the keys; it is a letter everywhere else.', () => {
    const rig = new ConversationRig();
    rig.open(talk().events);
    rig.type('?');
    const help = rig.picture()[0];
    rig.press('escape');
    rig.type('why');
    rig.type('?');
    expect([help, rig.conversation.unsentText]).toEqual(['Keys', 'why?']);
  });
});

describe('scrolling', () => {
  test('Away from the end the top row does not move while messages come in, and what is new is counted.', () => {
    const rig = new ConversationRig(60, 14);
    const log = long(20);
    rig.open(log.events);
    rig.press('pageup');
    const before = rig.picture().slice(1, 10);
    const known = log.events.length;
    log.turn('more', 'much more');
    for (const event of log.events.slice(known)) rig.event(event);
    const rule = rig.picture().at(-4);
    const after = rig.picture().slice(1, 10);
    rig.press('end');
    expect({
      isStill: JSON.stringify(before) === JSON.stringify(after),
      rule,
      end: rig.picture().some((row) => row === 'much more'),
    }).toEqual({
      isStill: true,
      rule: `── 3 new below  End ${'─'.repeat(40)}`,
      end: true,
    });
  });

  test('Older pages are asked for near the beginning, and come in above without moving anything.', () => {
    const rig = new ConversationRig(60, 14);
    const { events } = long(40);
    rig.open(events.slice(100), { older: true });
    rig.key({ kind: 'named', name: 'home', word: false, shift: false });
    const before = rig.picture().slice(1, 10);
    rig.open(events, { older: false });
    expect({
      asked: rig.acts[0]?.act,
      isStill: JSON.stringify(rig.picture().slice(1, 10)) === JSON.stringify(before),
    }).toEqual({
      asked: 'older',
      isStill: true,
    });
  });

  test('The wheel scrolls the history; Tab and c copy the last message in sight as it was written.', () => {
    const rig = new ConversationRig(60, 14);
    rig.open(talk().events);
    rig.key({ kind: 'wheel', rows: -3 });
    rig.press('end', 'tab');
    rig.type('c');
    expect({ acts: rig.acts, rule: rig.picture().at(-4)?.slice(0, 36) }).toEqual({
      acts: [{ act: 'copy', text: 'Two files.' }],
      rule: '── Copied the last message in sight ',
    });
  });
});
