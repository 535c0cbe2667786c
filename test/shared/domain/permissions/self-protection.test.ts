import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '../../../../shared/domain/sessions.ts';
import { decide } from '../../../../shared/domain/permissions/policy.ts';
import { decided, dir, factsOf, rulesOf, self } from './support.ts';

const everything = ['allow *', 'allow Bash', 'allow Read', 'allow Edit'];
const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'bypassPermissions'];

describe('the home of Kairos is closed to its agent in every mode', () => {
  it.each([
    'Read /home/u/.kairos/daemon.json',
    'Read /home/u/.kairos',
    'Write /home/u/.kairos/settings.json',
    'Grep /home/u/.kairos/blobs',
    'Edit link -> /home/u/.kairos/settings.json',
    'Read /home/u/.kairos/scratchy',
  ])('%s', async (call) => {
    const all: readonly PermissionMode[] = [...modes, 'plan', 'dontAsk'];
    const decisions = await Promise.all(all.map((mode) => decided(call, everything, { mode })));
    const denied = { behavior: 'deny', by: 'Kairos keeps its own home closed to its agent', rule: null };
    expect(decisions).toEqual(all.map(() => denied));
  });

  it.each([
    ['darwin', '/Users/u/.kairos', '/Users/u/.KAIROS/daemon.json'],
    ['win32', String.raw`C:\Users\u\.kairos`, String.raw`C:\Users\u\.Kairos\daemon.json`],
  ] as const)('on %s in any case of letters', async (platform, home, path) => {
    const there = { home, scratch: `${home}/scratch`, words: [], person: { home: '/Users/u', platform } };
    const facts = { subject: path, paths: [path] };
    expect((await decided('Read x', everything, { self: there, facts })).behavior).toBe('deny');
  });

  it('but its scratch folder is not, and the own one of a session is read unasked', async () => {
    const read = async (path: string) => (await decided(`Read ${self.scratch}/${path}`)).behavior;
    expect([await read('ses_1/out.txt'), await read('ses_2/out.txt')]).toEqual(['allow', 'ask']);
  });
});

describe('a command that names Kairos, its home or its port asks in every mode', () => {
  it.each([
    ['by its name', 'kairos approve abcde'],
    ['in capitals', 'echo $KAIROS_HOME'],
    ['in a path', '/opt/bin/kairos stop'],
    ['with quotes in it', 'kai""ros stop'],
    ['with single quotes', `k'ai'ros stop`],
    ['with backslashes', String.raw`k\airos stop`],
    ['in ANSI quotes', String.raw`$'kai\x72os' stop`],
    ['in ANSI quotes, octal', String.raw`$'\153airos' stop`],
    ['in full-width letters', 'ｋairos stop'],
    ['in a nested script', `bash -c 'kai""ros stop'`],
    ['in a here-document', 'bash <<< "kairos stop"'],
    ['in an assignment', 'X=kairos; $X stop'],
    ['its home', 'cat ~/.kairos/daemon.json'],
    ['its home with $HOME', 'cat $HOME/.kairos/daemon.json'],
    ['its home with ${HOME}', 'cat "${HOME}"/.kairos/x'],
    ['its home from its parent', 'cd /home/u && cat .kairos/daemon.json'],
    ['its home with ..', 'cat ../.kairos/daemon.json'],
    ['its home with doubled slashes', 'cat /home//u/./.kairos/x'],
    ['its home with a wildcard', 'cat ~/.k*/daemon.json'],
    ['its home with a question mark', 'cat /home/u/.kai?os/x'],
    ['its home with brackets', 'cat ~/.[k]airos/x'],
    ['its home with braces', 'cat ~/.kai{ros,x}/x'],
    ['its home with wildcards all along', 'cat /h*/u*/.k*/d*'],
    ['its home behind an option', 'tool --file=/home/u/.kai""ros/x'],
    ['its home as a target', 'echo x > ~/.kai""ros/settings.json'],
    ['its port', 'curl http://127.0.0.1:4711/v1/prompts'],
    ['its port, quoted', 'curl http://127.0.0.1:47"1"1/v1'],
    ['another process', 'cat /proc/1234/environ'],
    ['its own parent', 'cat /proc/$PPID/environ'],
    ['every process', 'cat /proc/*/environ'],
    ['memory', 'dd if=/proc/99/mem'],
    ['files by a process', 'cat /proc/self/root/etc/shadow'],
    ['descriptors of a process', 'ls /proc/1/fd'],
    ['threads of a process', 'cat /proc/1/task/1/environ'],
    ['a process in quotes', 'cat "/proc"/1/"environ"'],
  ])('%s: %s', async (_how, command) => {
    const decisions = await Promise.all(
      modes.map((mode) => decided(`Bash ${command}`, everything, { mode })),
    );
    expect(decisions.map(({ behavior, rule }) => [behavior, rule])).toEqual(modes.map(() => ['ask', null]));
  });

  it.each([
    'ls',
    'cat /proc/cpuinfo',
    'cat /proc/self/status',
    'ls *',
    'cat src/*.ts',
    'cat /home/u/w/*',
    'echo ~',
    'cat ../other/x',
    'curl http://127.0.0.1:8080/',
    'cat /home/v/.k*/x',
  ])('%s names nothing of it', async (command) => {
    expect((await decided(`Bash ${command}`, [], { mode: 'bypassPermissions' })).behavior).toBe('allow');
  });

  it('a home elsewhere, with any name, is found from the directory above it', async () => {
    const elsewhere = { ...self, home: '/srv/state', scratch: '/srv/state/scratch', words: [] };
    const of = async (command: string, dir: string) =>
      (await decided(`Bash ${command}`, [], { mode: 'bypassPermissions', self: elsewhere, dir })).behavior;
    expect([
      await of('cat state/daemon.json', '/srv'),
      await of('cat ./state/daemon.json', '/srv'),
      await of('cat s*/daemon.json', '/srv'),
      await of('cat x/../state/daemon.json', '/srv'),
      await of('cd /srv && cat state/daemon.json', '/home/u/w'),
      await of('cat state/scratch/out.txt', '/srv'),
      await of('cat state/daemon.json', '/home/u/w'),
      await of('cat other/daemon.json', '/srv'),
    ]).toEqual(['ask', 'ask', 'ask', 'ask', 'ask', 'allow', 'allow', 'allow']);
  });

  it('reading into a process asks file tools too', async () => {
    expect((await decided('Read /proc/12/environ', everything, { mode: 'bypassPermissions' })).behavior).toBe(
      'ask',
    );
  });

  it.each([
    ['many words', Array(1_500).fill('x').join(' ')],
    ['many directories and words', `${'cd a; '.repeat(250)}ls ${Array(250).fill('x').join(' ')}`],
    ['many wildcards', `cat /home/u/${'*?'.repeat(400)}x/a`],
  ])('%s are decided on in good time, and never unseen', async (what, command) => {
    const facts = await factsOf(`Bash ${command}`);
    const rules = rulesOf(Array.from({ length: 40 }, (_, at) => `deny Read(secret${at}/**)`));
    const input = { facts, mode: 'bypassPermissions', dir, self, rules } as const;
    const before = process.cpuUsage();
    const { behavior } = decide(input);
    const { user } = process.cpuUsage(before);
    expect([what, behavior, user < 3_000_000]).toEqual([
      what,
      what === 'many directories and words' ? 'ask' : 'allow',
      true,
    ]);
  });
});
