import { describe, expect, it } from 'vitest';
import { planHostTool } from '../../../electron/daemon/sessions/host-tools/plan-host-tool.ts';
import type { FilePlaces } from '../../../electron/daemon/sessions/host-tools/host-input.ts';
import { keepFile } from '../../../electron/daemon/sessions/host-tools/keep-file.ts';
import type { FoundAttachment } from '../../../shared/domain/attachments.ts';
import { KairosError } from '../../../shared/base/errors.ts';
import { parseRule, type SourcedRule } from '../../../shared/domain/permissions/rules.ts';
import { commandFacts } from '../support/daemon-rig.ts';

const self = { home: '/h/k', scratch: '/h/k/scratch', words: [] };
const hash = 'a'.repeat(64);

function found(real: string, bytes = 5): FoundAttachment {
  const name = real.split('/').at(-1) ?? '';
  return { path: name, real, file: { hash, name, mediaType: 'text/plain', bytes } };
}

function send(
  tool: string,
  input: unknown,
  files: readonly FoundAttachment[],
  own: Partial<FilePlaces> = {},
) {
  const places = { dir: '/h', ownScratch: '/h/k/scratch/ses_1', rules: [], self, ...own };
  const lost = [{ path: 'gone.txt', reason: 'does not exist' }];
  const facts = { ...commandFacts(''), tool, input, files: { found: [...files], lost } };
  return planHostTool({ facts, prompt: null, owed: [], now: 0, promptLifeMs: 1, mode: 'default', places })
    .plan;
}

function denying(text: string): SourcedRule[] {
  const { rule } = parseRule('deny', text);
  return rule ? [{ ...rule, id: null, source: 'settings' }] : [];
}

describe('files with a message', () => {
  it('that may not go hold nothing up and are told with their reason, to the model and beside the message', () => {
    const files = [
      found('/h/a.txt'),
      found('/h/k/settings.json'),
      found('/h/k/scratch/ses_1/long.txt'),
      found('/h/k/scratch/ses_2/other.txt'),
      found('/etc/passwd'),
      found('/h/large.bin', 31 * 1024 * 1024),
      found('/h/secret.txt'),
    ];
    const places = { rules: denying('Read(/secret.txt)') };
    const lost = [
      { path: 'gone.txt', reason: 'does not exist' },
      { path: 'settings.json', reason: "is in Kairos's own home" },
      { path: 'other.txt', reason: "is in Kairos's own home" },
      { path: 'passwd', reason: 'is outside of the session directory' },
      { path: 'large.bin', reason: 'is larger than 30 MB' },
      { path: 'secret.txt', reason: 'may not be read (Read(/secret.txt))' },
    ];
    expect(send('SendUserMessage', { message: 'Here.' }, files, places)).toEqual({
      do: 'send',
      message: {
        text: 'Here.',
        status: 'normal',
        inReplyTo: null,
        routes: [{ surface: 'viewers' }],
        attachments: [found('/h/a.txt').file, found('/h/long.txt').file],
        lost,
      },
      result: {
        outcome: 'ok',
        output: `Delivered. With: a.txt, long.txt. ${lost.map(({ path, reason }) => `Not sent: "${path}" ${reason}.`).join(' ')}`,
      },
    });
  });

  it('are ten at most', () => {
    const files = Array.from({ length: 12 }, (_, n) => found(`/h/${n}.txt`));
    expect(send('SendUserMessage', { message: 'Many.' }, files)).toMatchObject({
      message: {
        attachments: files.slice(0, 10).map(({ file }) => file),
        lost: [{}, { path: '10.txt', reason: expect.stringMatching(/one too many/) }, { path: '11.txt' }],
      },
    });
  });

  it('alone: one file with its caption, and an error when it cannot be sent', () => {
    expect([
      send('send_user_file', { path: 'a.txt', caption: ' The list ' }, [found('/h/a.txt')]),
      send('send_user_file', { path: 'x' }, []),
      send('send_user_file', {}, []),
      send('send_user_file', { path: 'a.txt', in_reply_to: 'm9' }, [found('/h/a.txt')]),
    ]).toMatchObject([
      { do: 'send', message: { text: 'The list', attachments: [{ name: 'a.txt' }] } },
      {
        do: 'end',
        result: { outcome: 'error', output: expect.stringMatching(/nothing was sent.*gone\.txt/) },
      },
      { do: 'end', result: { outcome: 'error', output: expect.stringMatching(/^send_user_file: "path"/) } },
      { do: 'end', result: { outcome: 'error', output: expect.stringMatching(/no message m9/) } },
    ]);
  });
});

describe('keeping a file before its message', () => {
  const never = () => Promise.reject(new Error('must not be read'));
  const broken = (error: Error) => ({ putFile: () => Promise.reject(error) });

  it('reads nothing of the home but the scratch folder of the session', async () => {
    const store = { putFile: async (path: string) => ({ hash: path, bytes: 1 }) };
    expect([
      await keepFile({ store: { putFile: never }, self }, 'ses_1', '/h/k/secrets.json'),
      await keepFile({ store: { putFile: never }, self }, 'ses_1', '/h/k/scratch/ses_2/a'),
      await keepFile({ store, self }, 'ses_1', '/h/k/scratch/ses_1/a'),
    ]).toEqual([
      { refused: "is in Kairos's own home" },
      { refused: "is in Kairos's own home" },
      { hash: '/h/k/scratch/ses_1/a', bytes: 1 },
    ]);
  });

  it('says what is wrong with the file, and leaves a full disk to those who wait for room', async () => {
    const bad = broken(new KairosError('bad_file', 'is not a file'));
    const full = broken(new KairosError('disk_full', 'full'));
    expect(await keepFile({ store: bad, self }, 'ses_1', '/h/a')).toEqual({ refused: 'is not a file' });
    await expect(keepFile({ store: full, self }, 'ses_1', '/h/a')).rejects.toMatchObject({
      code: 'disk_full',
    });
  });
});

describe('TodoWrite', () => {
  const write = (todos: unknown) => send('TodoWrite', { todos }, []);

  it('keeps the list, several under way and an empty one too', () => {
    const three = [
      { content: ' build ', status: 'in_progress' },
      { content: 'test', status: 'in_progress' },
      { content: 'plan', status: 'completed' },
    ];
    expect([write(three), write([])]).toEqual([
      {
        do: 'todos',
        todos: [
          { text: 'build', state: 'in_progress' },
          { text: 'test', state: 'in_progress' },
          { text: 'plan', state: 'completed' },
        ],
        result: { outcome: 'ok', output: 'Kept: 0 pending, 2 in progress, 1 completed.' },
      },
      { do: 'todos', todos: [], result: { outcome: 'ok', output: 'Kept: the list is empty.' } },
    ]);
  });

  it.each([
    ['no list', undefined, /^TodoWrite: "todos" must be of type array/],
    [
      'more than 100 items',
      Array.from({ length: 101 }, () => ({ content: 'a', status: 'pending' })),
      /"todos" must not be more than 100 items/,
    ],
    [
      'an item without words',
      [{ content: '  ', status: 'pending' }],
      /"todos\.0\.content" must not be less than 1 characters/,
    ],
    [
      'another state',
      [{ content: 'a', status: 'done' }],
      /"todos\.0\.status" must be "pending" or "in_progress" or "completed"/,
    ],
  ])('is a precise error with %s', (_title, todos, output) => {
    expect(write(todos)).toMatchObject({ do: 'end', result: { outcome: 'error' } });
    expect(write(todos)).toMatchObject({ result: { output: expect.stringMatching(output) } });
  });
});

describe('AskUserQuestion', () => {
  const ask = (input: unknown) => send('AskUserQuestion', input, []);

  it('puts its header before the question', () => {
    expect(
      ask({ question: 'Which?', header: 'Colour', options: [{ label: 'Red' }], multiple: true }),
    ).toMatchObject({
      do: 'ask',
      prompt: { headline: 'Colour: Which?', preview: 'Colour: Which?', multiple: true },
    });
  });

  it.each([
    ['labels that cannot be told apart', [{ label: 'Red' }, { label: 'red ' }], /two options.*"red"/],
    ['an empty label', [{ label: ' ' }], /"options\.0\.label"/],
    [
      'more options than letters',
      Array.from({ length: 27 }, (_, n) => ({ label: `${n}` })),
      /"options" must not be more than 26 items/,
    ],
  ])('is an error with %s', (_title, options, output) => {
    expect(ask({ question: 'Q?', options })).toMatchObject({
      do: 'end',
      result: { outcome: 'error', output: expect.stringMatching(output) },
    });
  });
});
