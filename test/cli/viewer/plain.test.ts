import { describe, expect, test } from 'vitest';
import { emptyViewer, type ViewerState } from '../../../electron/cli/viewer/follow/viewer-state.ts';
import { InputLines } from '../../../electron/cli/viewer/plain/lines.ts';
import { verdictOf } from '../../../electron/cli/viewer/plain/plain-lines.ts';
import { isSettled } from '../../../electron/cli/viewer/plain/show-plain.ts';
import { PlainView } from '../../../electron/cli/viewer/plain/plain-view.ts';
import { lineText } from '../../../electron/cli/viewer/text/line.ts';
import type { ServerFrame } from '../../../shared/protocol/bridge.ts';
import { applyFrame } from '../../../shared/viewing/apply-frame.ts';
import { FakeClock } from '../../renderer/support/fake-clock.ts';
import { prompt, session, snapshot } from '../../renderer/support/samples.ts';
import { LogWriter } from './support/events.ts';

class Rig {
  readonly clock = new FakeClock();
  readonly printed: string[] = [];
  readonly acts: unknown[] = [];
  state: ViewerState = { ...emptyViewer('s'), device: 'dev_me', link: { kind: 'live' } };
  readonly view: PlainView;

  constructor(hidesEcho = true) {
    this.clock.pass(1_000);
    const stateNow = (): ViewerState => this.state;
    this.view = new PlainView({
      clock: this.clock,
      columns: 60,
      hidesEcho,
      print: (lines) => void this.printed.push(...lines.map((line) => lineText(line).trimEnd())),
      viewer: {
        get state() {
          return stateNow();
        },
        send: (text) => {
          this.acts.push(text);
          const message = {
            uuid: `u${this.acts.length}`,
            session: 's',
            text,
            at: 0,
            stored: true,
            fault: null,
          };
          this.state = { ...this.state, unsent: [...this.state.unsent, message] };
        },
        decide: (_prompt, verdict) => void this.acts.push(verdict),
        loadOlder: () => undefined,
        readWhole: () => void this.acts.push('whole'),
        typing: () => undefined,
      },
    });
  }

  frame(frame: ServerFrame): void {
    const next = applyFrame(this.state, frame);
    if (next === 'unreadable') throw new Error('unreadable frame');
    this.state = next;
    this.view.look();
  }

  open(log: LogWriter): void {
    const view = snapshot(log.events, { session: session('s', { name: 'payments' }) });
    this.frame({ type: 'snapshot', topic: 'session:s', place: { epoch: '', seq: log.events.length }, view });
  }

  /** Sends on what the log got since the last time. */
  follow(log: LogWriter): void {
    const known = this.state.pages.s?.seq ?? 0;
    for (const event of log.events.slice(known))
      this.frame({ type: 'event', topic: 'session:s', place: { epoch: '', seq: event.seq }, event });
  }

  /** What was printed since the last time. */
  news(): string[] {
    return this.printed.splice(0);
  }
}

function opened(hidesEcho?: boolean): { rig: Rig; log: LogWriter } {
  const log = new LogWriter();
  log.turn('hello', 'Hi.');
  const rig = new Rig(hidesEcho);
  rig.open(log);
  return { rig, log };
}

describe('what is printed', () => {
  test('What was said, then each thing once when it is final, calls at the end of their turn.', () => {
    const { rig, log } = opened();
    const first = rig.news();
    log.turn('list', 'Two files.', [{ tool: 'Bash', input: { command: 'ls' } }]);
    rig.follow(log);
    rig.view.look();
    rig.frame({
      type: 'session',
      topic: 'session:s',
      session: session('s', { name: 'payments', state: 'working' }),
    });
    expect({ first, later: rig.news() }).toEqual({
      first: [
        'payments in /shop',
        '> hello',
        'Hi.',
        '4.0 s',
        'Type a message and Enter. Ctrl+C leaves, the agent goes on.',
      ],
      later: ['> list', 'Two files.', '✓ Bash ls', '6.0 s, 1 call'],
    });
  });

  test('What was typed at the terminal is not printed again when it comes back, and what others write is.', () => {
    const { rig, log } = opened();
    rig.news();
    rig.view.line('do it');
    log.received('do it', { message: 'u1' });
    log.received('me too', { message: 'msg_other' });
    rig.follow(log);
    expect(rig.news()).toEqual(['> me too']);
  });

  test('After a reconnect nothing is printed twice.', () => {
    const { rig, log } = opened();
    rig.news();
    rig.open(log);
    log.turn('again', 'Yes.');
    rig.open(log);
    expect(rig.news()).toEqual(['> again', 'Yes.', '4.0 s']);
  });
});

test('A piped viewer is done when what persons and chats wrote is settled; ticks are owed nothing.', () => {
  const { rig, log } = opened();
  const settled = isSettled(rig.state);
  log.received('more?');
  rig.follow(log);
  const owed = isSettled(rig.state);
  const ticking = new Rig();
  const ticks = new LogWriter();
  ticks.add('message.received', {
    message: 'm',
    wake: 'w',
    ref: 'm1',
    kind: 'tick',
    mode: 'next_step',
    text: 'tick',
    route: { surface: 'viewers' },
  });
  ticking.open(ticks);
  expect([settled, owed, isSettled(ticking.state)]).toEqual([true, false, true]);
});

describe('what asks', () => {
  const asked = prompt('p1', {
    sessionName: 'payments',
    expiresAt: 3_601_000,
    preview: 'rm -rf build',
    headline: 'Bash: rm -rf build',
    risks: ['Deletes files'],
  });

  test('A prompt is printed whole with its numbers; a number answers it, anything else is a message.', () => {
    const { rig } = opened();
    rig.news();
    rig.frame({ type: 'prompt', topic: 'session:s', prompt: asked });
    const printed = rig.news();
    rig.clock.pass(600);
    rig.view.line('3');
    rig.view.line('2');
    expect({ printed, acts: rig.acts }).toEqual({
      printed: [
        'Needs you: payments: Bash: rm -rf build',
        'In /shop, expires in 1 h.',
        'Risk: Deletes files',
        '  rm -rf build',
        '1. Deny',
        '2. Allow once',
        'Type the number and Enter; anything else is a message.',
      ],
      acts: ['3', { behavior: 'allow', scope: 'once' }],
    });
  });

  test('A number that was typed before the prompt was printed answers nothing.', () => {
    const { rig } = opened();
    rig.frame({ type: 'prompt', topic: 'session:s', prompt: asked });
    rig.clock.pass(100);
    rig.view.line('2');
    expect(rig.acts).toEqual([]);
  });

  test('What a frame cut is asked for only when it was read whole.', () => {
    const { rig } = opened();
    rig.news();
    rig.frame({ type: 'prompt', topic: 'session:s', prompt: { ...asked, previewCut: true } });
    expect({ printed: rig.news(), acts: rig.acts }).toEqual({ printed: [], acts: ['whole'] });
  });

  test('Numbers name options of a question, several where several may be chosen, and 0 begins own words.', () => {
    const question = prompt('q', { kind: 'question', options: [{ label: 'Left' }, { label: 'Right' }] });
    const several = { ...question, multiple: true };
    expect(
      [
        verdictOf(question, '2'),
        verdictOf(question, '1 2'),
        verdictOf(several, '1 2'),
        verdictOf(question, '0 neither'),
        verdictOf(question, 'Left'),
        verdictOf(question, '3'),
      ].map((verdict) => (verdict?.behavior === 'answer' ? verdict.text : verdict)),
    ).toEqual(['Right', null, 'Left, Right', 'neither', null, null]);
  });
});

test('Lines come one at a time, however they are cut, and a last one without its end counts.', async () => {
  async function* pieces(): AsyncGenerator<string> {
    yield 'on';
    yield 'e\ntwo\r\nth';
    yield 'ree';
  }
  const lines = new InputLines(pieces());
  expect([await lines.next(), await lines.next(), await lines.next(), await lines.next()]).toEqual([
    'one',
    'two',
    'three',
    null,
  ]);
});
