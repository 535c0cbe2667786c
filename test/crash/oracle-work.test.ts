import { describe, expect, it } from 'vitest';
import type { SeenRequest } from '../support/models/seen.ts';
import type { ExportedEvent } from '../support/real/kairos.ts';
import type { Evidence } from './support/evidence.ts';
import { checkTasks } from './support/oracle-tasks.ts';
import { checkContexts } from './support/work-checks.ts';

function event(type: string, body: unknown, seq: number): ExportedEvent {
  return { id: seq, session: 's', seq, at: 0, type, v: 1, body };
}

function said(text: string): unknown {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A request as a model server saw it, with the members that the check looks at. */
function request(number: number, ...messages: readonly unknown[]): SeenRequest {
  const rawBody = Buffer.from(JSON.stringify({ model: 'm', messages, stream: true }));
  return { number, rawBody, ask: { system: 'You are Kairos.' } } as unknown as SeenRequest;
}

function contexts(compactions: readonly string[], ...requests: readonly SeenRequest[]): string[] {
  const log = compactions.map((text, index) => event('context.compacted', { text }, index + 1));
  return checkContexts({ logs: new Map([['s', log]]) } as unknown as Evidence, requests);
}

describe('The check of contexts', () => {
  it('takes requests that continue one another, the same one again, and one that begins with a stored compaction', () => {
    expect(
      contexts(
        ['so far "all" is well'],
        request(1, said('a')),
        request(2, said('a'), said('b')),
        request(3, said('a'), said('b')),
        request(4, said('so far "all" is well'), said('b')),
        request(5, said('so far "all" is well'), said('b'), said('c')),
      ),
    ).toEqual([]);
  });

  it.each([
    ['a compaction that was used before it was stored', [], [said('summary')]],
    ['a message that changed', [], [said('other')]],
    ['a message that is missing', [], [said('b')]],
  ])('finds %s', (_, stored, messages) => {
    const found = contexts(stored, request(1, said('a'), said('b')), request(2, ...messages));
    expect(found).toEqual([
      'request 2 is no continuation of the one before it, and no stored compaction begins it',
    ]);
  });

  it('finds a request that goes back behind a compaction', () => {
    const found = contexts(['sum'], request(1, said('sum'), said('b')), request(2, said('a'), said('b')));
    expect(found).toEqual(['request 2 goes back behind compaction 0']);
  });
});

describe('The check of background tasks', () => {
  const began = event('task.began', { task: 'k1' }, 1);
  const ended = (how: string): ExportedEvent => event('task.ended', { task: 'k1', how }, 2);
  const told = event('message.received', { kind: 'task_ended', text: 'k1: over' }, 3);
  it.each([
    ['one that ended and was told', [began, ended('exited'), told], []],
    ['one that a person stopped', [began, ended('interrupted')], []],
    ['one that never ended', [began], ['task k1 ended 0 times']],
    ['one that ended twice', [began, ended('lost'), ended('exited'), told], ['task k1 ended 2 times']],
    ['one that nobody was told of', [began, ended('lost')], ['the end of task k1 was told 0 times']],
    [
      'one that was told twice',
      [began, ended('exited'), told, told],
      ['the end of task k1 was told 2 times'],
    ],
  ])('judges %s', (_, log, expected) => {
    const found: string[] = [];
    checkTasks(log, (text) => found.push(text));
    expect(found).toEqual(expected);
  });
});
