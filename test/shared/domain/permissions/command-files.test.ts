import { describe, expect, it, test } from 'vitest';
import { partsOf } from '../../../../shared/domain/permissions/shell-words.ts';
import { decided, factsOf } from './support.ts';

const rules = [
  'deny Read(~/.ssh/**)',
  'deny Read(./secret.txt)',
  'deny Edit(~/notes/**)',
  'allow Bash(cat:*)',
  'allow Bash(cp:*)',
];

describe('a rule on files holds for a command however the file is spelled', () => {
  it.each([
    ['cat ~/.ssh/id', 'deny'],
    ['cat $HOME/.ssh/id', 'deny'],
    ['cat ${HOME}/.ssh/id', 'deny'],
    ['cat "$HOME/.ssh/id"', 'deny'],
    ['cat "$HOME"/.ssh/id', 'deny'],
    ['cat < ~/.ssh/id', 'deny'],
    ['cat < "$HOME/.ssh/id"', 'deny'],
    ['cat $PWD/secret.txt', 'deny'],
    ['cat ~+/secret.txt', 'deny'],
    ['echo x > ~/notes/a', 'deny'],
    ['sort "$HOME"/notes/a', 'ask'],
    ['cat ~/other', 'allow'],
    ['cat "$HOME/other"', 'allow'],
  ])('%s: %s', async (command, behavior) => {
    const decision = await decided(`Bash ${command}`, rules, { mode: 'bypassPermissions' });
    expect(decision.behavior).toBe(behavior);
  });
});

/** As the worker says it of `link`, which is a symbolic link. */
async function led(command: string, leadsTo: string): Promise<string> {
  const { shell } = await factsOf(`Bash ${command}`);
  if (shell?.kind !== 'parsed') throw new Error('not parsed');
  const parts = partsOf({ shell }).map((part) => ({ ...part, leadsTo: [leadsTo] }));
  const facts = { shell: { ...shell, parts } };
  return (await decided(`Bash ${command}`, rules, { mode: 'bypassPermissions', facts })).behavior;
}

test('a link in a command is what it leads to: for rules, for protected files, for the home of Kairos', async () => {
  expect({
    denied: await led('cat link', '/home/u/.ssh/id'),
    named: await led('sort link', '/home/u/w/secret.txt'),
    protected: await led('cp a link', '/home/u/.bashrc'),
    home: await led('cat link', '/home/u/.kairos/daemon.json'),
    process: await led('cat link', '/proc/1/environ'),
    ordinary: await led('cat link', '/home/u/w/a'),
  }).toEqual({
    denied: 'deny',
    named: 'ask',
    protected: 'ask',
    home: 'ask',
    process: 'ask',
    ordinary: 'allow',
  });
});
