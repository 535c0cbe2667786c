import { describe, expect, it } from 'vitest';
import { withoutTold } from '../../../renderer/views/history/once-told.ts';
import type { SessionItem } from '../../../shared/session/session-view-items.ts';

const stop = (seq: number, detail: string): SessionItem => ({
  kind: 'notice',
  seq,
  at: 1,
  notice: 'parked',
  detail,
});
const said = (seq: number, text: string): SessionItem => ({
  kind: 'message_out',
  seq,
  at: 1,
  turn: null,
  text,
  status: 'normal',
  source: 'notice',
  inReplyTo: null,
  routes: [],
  attachments: [],
  lost: [],
});
const seqs = (items: readonly SessionItem[]): number[] => items.map(({ seq }) => seq);

describe('Why a session stopped', () => {
  const items = [
    stop(1, 'no money.'),
    said(2, 'This session stopped: no money.'),
    stop(3, 'no key.'),
    said(4, 'This session stopped: no key.'),
  ];

  it('stands in the bar alone while it is stopped, and older stops in their messages', () => {
    expect(seqs(withoutTold(items, { reason: 'no key.' }))).toEqual([2]);
  });

  it('stands in its message once it goes on', () => {
    expect(seqs(withoutTold(items, null))).toEqual([2, 4]);
  });

  it('stays an event where no message says it', () => {
    expect(
      seqs(withoutTold([stop(1, 'no money.'), said(2, 'Something else')], { reason: 'no money.' })),
    ).toEqual([1, 2]);
  });
});
