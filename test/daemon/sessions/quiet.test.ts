import { describe, expect, it } from 'vitest';
import { asksAgain, isQuietAnswer } from '../../../electron/daemon/sessions/quiet.ts';
import type { LinkVerb } from '../../../shared/protocol/worker-link.ts';

const rows: readonly (readonly [LinkVerb, unknown, 'quiet' | 'refused' | null, boolean])[] = [
  ['nextStep', { kind: 'idle' }, 'quiet', false],
  ['nextStep', { kind: 'waiting', call: 'c' }, 'quiet', false],
  ['nextStep', { kind: 'refused', why: 'paused' }, 'refused', false],
  ['nextStep', { kind: 'request' }, null, false],
  ['nextStep', { kind: 'calls' }, null, false],
  ['nextStep', { kind: 'turn_ended' }, null, true],
  ['recordReply', { kind: 'idle' }, 'quiet', false],
  ['recordReply', { kind: 'refused' }, 'refused', false],
  ['recordReply', { kind: 'calls' }, null, false],
  ['recordReply', { kind: 'turn_ended' }, null, true],
  ['endCall', { next: null }, null, false],
  ['endCall', { next: { kind: 'request' } }, null, false],
  ['endCall', { next: { kind: 'refused' } }, 'refused', false],
  ['endCall', { next: { kind: 'idle' } }, 'quiet', false],
  ['beginCall', { kind: 'asking', code: 'abcde' }, 'quiet', false],
  ['beginCall', { kind: 'sleeping', until: 1 }, 'quiet', false],
  ['beginCall', { kind: 'granted' }, null, false],
  ['beginCall', { kind: 'ended', next: null }, null, false],
  ['beginCall', { kind: 'ended', next: { kind: 'refused' } }, 'refused', false],
  ['beginCall', { kind: 'ended', next: { kind: 'turn_ended' } }, null, true],
  ['context', { messages: [], more: false }, null, false],
  ['note', {}, null, false],
  ['pinFrame', { frame: 'f' }, null, false],
  ['hookRan', {}, null, false],
  ['park', {}, null, false],
];

describe('an answer to a runner', () => {
  it.each(rows)('%s %j: %s, asks again: %s', (verb, output, quiet, again) => {
    expect([isQuietAnswer(verb, output), asksAgain(verb, output)]).toEqual([quiet, again]);
  });
});
