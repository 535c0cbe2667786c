import { expect, it } from 'vitest';
import { keyCommandRunner } from '../../../electron/daemon/models/key-command.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import type { Clock } from '../../../shared/base/ports.ts';

const environment = () =>
  Promise.resolve({ PATH: process.env.PATH ?? '', SECRET_HELPER: 'from the login shell' });
const node = (script: string): string[] => [process.execPath, '-e', script];
/** Time-outs come at once, everything else is real. */
const hasty: Clock = { ...systemClock, after: (_ms, fn, options) => systemClock.after(50, fn, options) };

it.each([
  [
    'prints its key in the environment of the person',
    node('console.log("  " + process.env.SECRET_HELPER.slice(0, 4) + "  ")'),
    { kind: 'key', key: 'from' },
  ],
  [
    'gets its arguments as they are, no shell looks at them',
    [...node('console.log(process.argv[1])'), '$HOME;x'],
    { kind: 'key', key: '$HOME;x' },
  ],
  [
    'fails',
    node('console.error("secret"); process.exit(3)'),
    { kind: 'none', why: 'the key command ended with code 3' },
  ],
  ['prints nothing', node(''), { kind: 'none', why: 'the key command printed nothing' }],
  [
    'prints two lines',
    node('console.log("a\\nb")'),
    { kind: 'none', why: expect.stringMatching(/no key \(spaces, lines/) },
  ],
  ['does not exist', ['/nowhere/key'], { kind: 'none', why: expect.stringMatching(/could not be started/) }],
])('A key program that %s', async (_title, command, expected) => {
  expect(await keyCommandRunner({ clock: systemClock, environment })(command)).toEqual(expected);
});

it('A key program that does not end is killed after its time, with what it started.', async () => {
  const command = ['/bin/sh', '-c', 'sleep 300 & sleep 300'];
  expect(await keyCommandRunner({ clock: hasty, environment })(command)).toEqual({
    kind: 'none',
    why: 'the key command did not end within 10 s',
  });
});

it('A key program that floods its output is not read to the end.', async () => {
  const command = node('for (;;) process.stdout.write("x".repeat(65536))');
  expect(await keyCommandRunner({ clock: systemClock, environment })(command)).toEqual({
    kind: 'none',
    why: 'the key command printed more than a key',
  });
});
