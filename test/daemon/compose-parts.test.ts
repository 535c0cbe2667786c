import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDir, failureText, selfWords, sha256 } from '../../electron/daemon/compose-parts.ts';
import { KairosError } from '../../shared/base/errors.ts';

let base: string;
let home: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-parts-')));
  home = join(base, 'home');
  for (const folder of ['work', 'home/scratch', 'homestead'])
    mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'file'), '');
  symlinkSync(join(base, 'work'), join(base, 'link'));
  symlinkSync(join(home, 'scratch'), join(base, 'way-in'));
  symlinkSync(join(base, 'nowhere'), join(base, 'broken'));
  symlinkSync(join(base, 'round'), join(base, 'round'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The real path, or the code and sentence of the refusal, without the base. */
async function checked(name: string): Promise<string> {
  const without = (text: string): string => text.replaceAll(base, '');
  return checkDir(join(base, name), home).then(
    (real) => without(real),
    (error: KairosError) => `${error.code}: ${without(error.message)} ${error.next}`,
  );
}

describe('the directory of a session', () => {
  const next = 'Name an existing directory with --dir.';
  it.each([
    ['work', '/work'],
    ['link', '/work'],
    ['homestead', '/homestead'],
    ['file', `bad_dir: "/file" is not a directory. ${next}`],
    ['nowhere', `bad_dir: The directory "/nowhere" does not exist. ${next}`],
    ['broken', `bad_dir: The directory "/broken" does not exist. ${next}`],
    ['round', `bad_dir: The directory "/round" cannot be used (ELOOP). ${next}`],
    ['file/below', `bad_dir: The directory "/file/below" cannot be used (ENOTDIR). ${next}`],
    ['home', `bad_dir: "/home" is Kairos's own home: no session works there. ${next}`],
    ['home/scratch', `bad_dir: "/home/scratch" is Kairos's own home: no session works there. ${next}`],
    ['way-in', `bad_dir: "/way-in" is Kairos's own home: no session works there. ${next}`],
  ])('%s', async (name, outcome) => {
    expect(await checked(name)).toBe(outcome);
  });
});

describe('the words that make a command ask', () => {
  const person = homedir();
  it.each([
    [
      'a home below the person',
      `${person}/.kairos`,
      null,
      [`${person}/.kairos`, '~/.kairos', '$HOME/.kairos', '.kairos'],
    ],
    ['a home elsewhere, and the port', '/srv/state', 4321, ['/srv/state', 'state', '4321']],
    ['a home with a name too short to tell', '/srv/k', 80, ['/srv/k', '80']],
    ['a home beside the person', `${person}x/kr`, null, [`${person}x/kr`]],
  ])('are those of %s', (_title, place, port, words) => {
    expect(selfWords(place, () => port).words).toEqual(words);
  });

  it('have the port as soon as it is known', () => {
    let port: number | null = null;
    const self = selfWords('/k', () => port);
    const before = self.words;
    port = 81;
    expect([before, self.words]).toEqual([['/k'], ['/k', '81']]);
  });
});

it('a failure is one text with what to do, and a digest is lower-case hex', () => {
  expect([
    failureText(new KairosError('x', 'It broke.', { next: 'Mend it.' })),
    failureText(new KairosError('x', 'It broke.')),
    failureText('thrown text'),
    sha256(''),
  ]).toEqual([
    'It broke. Mend it.',
    'It broke.',
    'thrown text',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ]);
});
