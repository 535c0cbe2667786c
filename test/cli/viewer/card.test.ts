import { describe, expect, test } from 'vitest';
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

const away = prompt('p1', {
  sessionName: 'payments',
  expiresAt: 1_000_000 + 3_600_000,
  preview: 'ls -la',
  headline: 'Bash: ls -la',
});
const lastRows = (rig: ConversationRig, count: number): string[] => rig.picture().slice(-count);

describe('what asks', () => {
  test('A card shows the whole command, where, and its risks; letters typed meanwhile go to the message.', () => {
    const rig = new ConversationRig(60, 20);
    rig.open(talk().events);
    rig.type('y');
    rig.prompt({
      ...away,
      preview: 'rm -rf build',
      headline: 'Bash: rm -rf build',
      risks: ['Deletes or overwrites: rm -rf build'],
      description: 'tidy up',
    });
    rig.type('y');
    expect({ card: lastRows(rig, 11), acts: rig.acts }).toEqual({
      card: [
        '─'.repeat(60),
        '! payments asks  expires in 1 h',
        '  in /shop',
        '  Kairos says: tidy up',
        '  ! Deletes or overwrites: rm -rf build',
        '  rm -rf build',
        '  Tab, then y or n',
        '─'.repeat(60),
        '> yy',
        'offline, $0.61 of $5',
        'Brief  Ctrl+C leaves, the agent goes on  ? keys',
      ],
      acts: [],
    });
  });

  test('After Tab and half a second y allows once and n denies.', () => {
    const answers = ['y', 'n', 's', 'r'].map((letter) => {
      const rig = new ConversationRig(60, 20);
      rig.open(talk().events);
      rig.prompt(away);
      rig.press('tab');
      rig.clock.pass(500);
      rig.type(letter);
      return rig.acts;
    });
    expect(answers).toEqual([
      [{ act: 'decide', prompt: 'p1', verdict: { behavior: 'allow', scope: 'once' } }],
      [{ act: 'decide', prompt: 'p1', verdict: { behavior: 'deny' } }],
      [],
      [],
    ]);
  });

  test('A key that is held, one that comes too early, Enter, and several characters at once answer nothing.', () => {
    const rig = new ConversationRig(60, 20);
    rig.open(talk().events);
    rig.prompt(away);
    rig.press('tab');
    for (let held = 0; held < 100; held += 1) {
      rig.clock.pass(33);
      rig.type('y');
    }
    rig.clock.pass(600);
    rig.press('enter');
    rig.clock.pass(600);
    rig.type('yy');
    expect(rig.acts).toEqual([]);
  });

  test('A prompt that takes the place of another is not answered by a key that was meant for that one.', () => {
    const rig = new ConversationRig(60, 20);
    rig.open(talk().events);
    rig.prompt(away);
    rig.press('tab');
    rig.clock.pass(600);
    rig.prompt({ ...away, state: 'withdrawn' });
    rig.prompt(prompt('p2', { headline: 'Bash: rm -rf /', preview: 'rm -rf /' }));
    rig.type('y');
    const early = [...rig.acts];
    rig.clock.pass(600);
    rig.type('y');
    expect({ early, later: rig.acts.map((done) => (done.act === 'decide' ? done.prompt : done)) }).toEqual({
      early: [],
      later: ['p2'],
    });
  });

  test('A command of 200 lines cannot be allowed before its end was in sight; denying is always possible.', () => {
    const rig = new ConversationRig(60, 24);
    rig.open(talk().events);
    rig.prompt({ ...away, preview: Array.from({ length: 200 }, (_, index) => `echo ${index}`).join('\n') });
    rig.press('tab');
    rig.clock.pass(600);
    rig.type('y');
    const unseen = [...rig.acts];
    const buttons = lastRows(rig, 5)[0];
    rig.press('end');
    rig.type('y');
    expect({ unseen, buttons, acts: rig.acts.length }).toEqual({
      unseen: [],
      buttons: '  n Deny   Scroll to the end to allow (PgDn)',
      acts: 1,
    });
  });

  test('What a frame cut is read whole first, and only then may be allowed.', () => {
    const rig = new ConversationRig(60, 24);
    rig.open(talk().events);
    rig.prompt({ ...away, preview: 'short', previewCut: true });
    rig.press('tab');
    rig.clock.pass(600);
    rig.press('end');
    rig.type('y');
    const before = [...new Set(rig.acts.map(({ act }) => act))];
    rig.set({ wholePrompts: { p1: { ...away, preview: 'short and the rest' } } });
    rig.picture();
    rig.type('y');
    expect({
      before,
      last: rig.acts.at(-1)?.act,
      isShown: rig.picture().includes('  short and the rest'),
    }).toEqual({ before: ['whole'], last: 'decide', isShown: true });
  });

  test('Letters answer a question; where several may be chosen Enter sends them; own words are meant as they are.', () => {
    const question = prompt('p1', {
      kind: 'question',
      tool: null,
      headline: 'Which?',
      preview: 'Which one?',
      options: [{ label: 'Left' }, { label: 'Right' }],
      rule: null,
    });
    const answered = (change: Partial<typeof question>, act: (rig: ConversationRig) => void): unknown => {
      const rig = new ConversationRig(60, 20);
      rig.open(talk().events);
      rig.prompt({ ...question, ...change });
      rig.press('tab');
      rig.clock.pass(600);
      act(rig);
      return rig.acts.map((done) => (done.act === 'decide' ? done.verdict : done));
    };
    expect([
      answered({}, (rig) => rig.type('b')),
      answered({ multiple: true }, (rig) => {
        rig.type('b');
        rig.type('a');
        rig.press('enter');
      }),
      answered({}, (rig) => {
        rig.press('enter');
        rig.type('q');
        rig.press('enter');
      }),
      answered({}, (rig) => rig.type('c')),
    ]).toEqual([
      [{ behavior: 'answer', text: 'Right' }],
      [{ behavior: 'answer', text: 'Left, Right' }],
      [{ behavior: 'answer', text: 'q', ownWords: true }],
      [],
    ]);
  });

  test('Who answered elsewhere is said at once, and keys do nothing any more.', () => {
    const rig = new ConversationRig(60, 20);
    rig.open(talk().events);
    rig.prompt(away);
    rig.press('tab');
    rig.clock.pass(600);
    rig.picture();
    rig.prompt({
      ...away,
      state: 'decided',
      verdict: { behavior: 'allow', scope: 'once' },
      by: { surface: 'viewers', principal: 'phone', device: 'dev_phone', at: 5 },
    });
    const said = rig.picture().at(-4);
    rig.type('y');
    expect({ said, acts: rig.acts }).toEqual({
      said: `── Bash: ls -la: allowed once by phone ${'─'.repeat(21)}`,
      acts: [],
    });
  });
});
