import { describe, expect, it } from 'vitest';
import type { DraftPiece } from '../../../shared/session/live.ts';
import { LiveBoard } from '../../../electron/daemon/sessions/live-board.ts';

const piece = (offset: number, text: string, change: Partial<DraftPiece> = {}): DraftPiece => ({
  session: 'ses_1',
  step: 'stp_1',
  part: 0,
  kind: 'text',
  offset,
  text,
  ...change,
});

function board(): { board: LiveBoard; heard: string[] } {
  const made = new LiveBoard();
  const heard: string[] = [];
  made.onDraft(({ text }) => heard.push(text));
  made.set('ses_1', { pid: 7, leased: true });
  return { board: made, heard };
}

describe('live facts', () => {
  it('are those of sleep until something is known, and again when the worker is gone', () => {
    const { board: live } = board();
    const asleep = { pid: null, leased: false, doing: null, background: 0 };
    live.set('ses_1', { doing: 'Bash' });
    expect([live.live('ses_1'), live.live('ses_2')]).toEqual([
      { pid: 7, leased: true, doing: 'Bash', background: 0 },
      asleep,
    ]);
    live.set('ses_1', null);
    expect(live.live('ses_1')).toEqual(asleep);
  });

  it('are announced until nobody listens', () => {
    const { board: live } = board();
    const heard: string[] = [];
    const off = live.onLive((session) => heard.push(session));
    live.set('ses_1', { doing: 'x' });
    off();
    live.set('ses_1', null);
    expect(heard).toEqual(['ses_1']);
  });
});

describe('a draft', () => {
  it('grows piece by piece', () => {
    const { board: live, heard } = board();
    live.addDraft(piece(0, 'Hel'));
    live.addDraft(piece(3, 'lo'));
    live.addDraft(piece(0, 'ls', { part: 1, kind: 'call' }));
    expect(live.draft('ses_1')).toEqual({
      step: 'stp_1',
      parts: [
        { kind: 'text', text: 'Hello' },
        { kind: 'call', text: 'ls' },
      ],
    });
    expect(heard).toEqual(['Hel', 'lo', 'ls']);
  });

  it('takes no piece that leaves a gap', () => {
    const { board: live, heard } = board();
    live.addDraft(piece(0, 'a'));
    live.addDraft(piece(5, 'z'));
    live.addDraft(piece(0, 'z', { part: 3 }));
    expect([live.draft('ses_1')?.parts, heard]).toEqual([[{ kind: 'text', text: 'a' }], ['a']]);
  });

  it('begins anew when a request is repeated', () => {
    const { board: live } = board();
    live.addDraft(piece(0, 'half a sen'));
    live.addDraft(piece(0, 'Half'));
    live.addDraft(piece(4, ' a sentence'));
    expect(live.draft('ses_1')?.parts).toEqual([{ kind: 'text', text: 'Half a sentence' }]);
  });

  it('is replaced by that of the next step', () => {
    const { board: live } = board();
    live.addDraft(piece(0, 'one'));
    live.addDraft(piece(0, 'two', { step: 'stp_2' }));
    expect(live.draft('ses_1')).toMatchObject({ step: 'stp_2', parts: [{ text: 'two' }] });
  });

  it('ends with its step, also for pieces that come late', () => {
    const { board: live } = board();
    live.addDraft(piece(0, 'one'));
    live.endDraft('ses_1', 'stp_1');
    live.addDraft(piece(0, 'late'));
    expect(live.draft('ses_1')).toBeNull();
  });

  it('stays when another step ends', () => {
    const { board: live } = board();
    live.addDraft(piece(0, 'two', { step: 'stp_2' }));
    live.endDraft('ses_1', 'stp_1');
    expect(live.draft('ses_1')?.step).toBe('stp_2');
  });

  it('is gone with its worker', () => {
    const { board: live } = board();
    live.addDraft(piece(0, 'one'));
    live.set('ses_1', null);
    expect(live.draft('ses_1')).toBeNull();
  });
});
