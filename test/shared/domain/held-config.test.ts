import { expect, it } from 'vitest';
import { type ConfigFile, parseConfigFile } from '../../../shared/domain/config-file.ts';
import { heldConfig, isLooser } from '../../../shared/domain/held-config.ts';

function file(settings: unknown): ConfigFile {
  return parseConfigFile(JSON.stringify(settings), 'user', 'settings.json');
}

const rules = (permissions: unknown) => ({ permissions });
const hook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
const box = (sandbox: unknown) => ({ sandbox });

const looser: [string, unknown, unknown][] = [
  ['a new allow rule', {}, rules({ allow: ['Bash'] })],
  ['a wider allow rule', rules({ allow: ['Bash(ls)'] }), rules({ allow: ['Bash(*)'] })],
  ['an allow rule beside another', rules({ allow: ['Read'] }), rules({ allow: ['Read', 'Edit'] })],
  [
    'an exception that went',
    rules({ allow: ['Edit(a/**)', 'Edit(!a/b)'] }),
    rules({ allow: ['Edit(a/**)'] }),
  ],
  ['a deny rule that went', rules({ deny: ['Bash(rm:*)'] }), {}],
  ['an ask rule that went', rules({ ask: ['Bash(rm:*)'] }), rules({ ask: [] })],
  ['a deny rule that became an ask', rules({ deny: ['Edit'] }), rules({ ask: ['Edit'] })],
  ['an exception of a deny', rules({ deny: ['Read(a/**)'] }), rules({ deny: ['Read(a/**)', 'Read(!a/b)'] })],
  ['a hook', {}, hook('./x')],
  ['another hook', hook('./x'), hook('./y')],
  ['a hook that went', hook('./x'), {}],
  ['hooks of projects that may allow', {}, { hooks: { projectAllow: true } }],
  ['a variable that is passed on', {}, { env: { pass: ['A_TOKEN'] } }],
  ['a variable', {}, { env: { set: { LD_PRELOAD: 'x' } } }],
  ['another value', { env: { set: { A: '1' } } }, { env: { set: { A: '2' } } }],
  ['a sandbox that went', box({ mode: 'on' }), {}],
  ['a sandbox that is off', box({ mode: 'required' }), box({ mode: 'off' })],
  ['a sandbox that is not required', box({ mode: 'required' }), box({ mode: 'on' })],
  ['a host', {}, box({ network: { allow: ['x.org'], deny: [] } })],
  ['a host that is not denied', box({ network: { allow: [], deny: ['x.org'] } }), {}],
  ['a place to write to', {}, box({ filesystem: { write: ['/x'] } })],
  ['places that are seen', {}, box({ filesystem: { write: [], denyRead: [] } })],
  [
    'a place that is seen',
    box({ filesystem: { write: [], denyRead: ['/a', '/b'] } }),
    box({ filesystem: { write: [], denyRead: ['/a'] } }),
  ],
  ['a command that is freed', {}, box({ exclude: ['Bash(x)'] })],
  ['a command that is not shut in', box({ commands: ['Bash(x)'] }), {}],
  ['no questions in the sandbox', {}, box({ autoAllow: true })],
];

const stricter: [string, unknown, unknown][] = [
  ['nothing', rules({ allow: ['A', 'B'] }), rules({ allow: ['A', 'B'] })],
  [
    'the order',
    rules({ allow: ['A', 'B'], deny: ['C', 'D'] }),
    rules({ allow: ['B', 'A'], deny: ['D', 'C'] }),
  ],
  ['settings of another kind', {}, { budgets: { dayUsd: 1 } }],
  ['an allow rule that went', rules({ allow: ['Bash', 'Read'] }), rules({ allow: ['Read'] })],
  [
    'an exception of an allow',
    rules({ allow: ['Edit(a/**)'] }),
    rules({ allow: ['Edit(a/**)', 'Edit(!a/b)'] }),
  ],
  ['a deny rule', {}, rules({ deny: ['Bash'] })],
  ['an ask rule before another', rules({ ask: ['B'] }), rules({ ask: ['A', 'B'] })],
  ['a variable that is not passed on', { env: { pass: ['A'] } }, {}],
  ['hooks of projects that may not allow', { hooks: { projectAllow: true } }, {}],
  ['a sandbox', {}, box({ mode: 'on' })],
  ['a sandbox that is required', box({ mode: 'on' }), box({ mode: 'required', commands: ['Bash(x)'] })],
  [
    'fewer hosts',
    box({ network: { allow: ['x.org'], deny: [] } }),
    box({ network: { allow: [], deny: ['y.org'] } }),
  ],
  ['questions in the sandbox', box({ autoAllow: true }), box({ autoAllow: false })],
  ['no exclusion', box({ exclude: ['Bash(x)'] }), box({ exclude: [] })],
];

it.each(looser)('is looser: %s; what was accepted holds', (_what, accepted, now) => {
  const held = heldConfig(file(accepted), file(now));
  expect([isLooser(file(accepted), file(now)), isLooser(file(accepted), held)]).toEqual([true, false]);
});

it.each(stricter)('is not looser: %s', (_what, accepted, now) => {
  expect(isLooser(file(accepted), file(now))).toBe(false);
});

it('holds what is stricter at once beside what is held back', () => {
  const accepted = file({
    permissions: { allow: ['A', 'B'], ask: ['C'], deny: ['D'] },
    ...box({ mode: 'on', exclude: ['Bash(x)'] }),
  });
  const now = file({
    permissions: { allow: ['B', 'E'], ask: [], deny: ['F'] },
    ...box({ mode: 'off' }),
    ...hook('./x'),
  });
  const { permissions, hooks, sandbox } = heldConfig(accepted, now);
  expect({ permissions, hooks, sandbox }).toEqual({
    permissions: { allow: ['B'], ask: ['C'], deny: ['D', 'F'] },
    hooks: {},
    sandbox: expect.objectContaining({ mode: 'on', exclude: [] }),
  });
});
