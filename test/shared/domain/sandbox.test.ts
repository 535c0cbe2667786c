import { describe, expect, test } from 'vitest';
import {
  mergeSandbox,
  noSandbox,
  type SandboxMode,
  sandboxSectionSchema,
  secretFolders,
} from '../../../shared/domain/sandbox.ts';
import type { RuleSource } from '../../../shared/domain/permissions/rules.ts';

const at = (source: RuleSource, section: object) => ({
  source,
  section: sandboxSectionSchema.parse(section),
});

test('nothing written means off, without network, with the person’s secrets hidden', () => {
  expect(mergeSandbox([], null)).toEqual(noSandbox);
  expect(mergeSandbox([at('settings', {})], null)).toEqual(noSandbox);
});

describe('the mode', () => {
  test.each<
    [Partial<Record<'managed' | 'project' | 'settings', SandboxMode>>, SandboxMode | null, SandboxMode]
  >([
    [{ settings: 'on' }, null, 'on'],
    [{ settings: 'on', project: 'required' }, null, 'required'],
    [{ settings: 'required', project: 'off' }, null, 'required'],
    [{ settings: 'required' }, 'off', 'off'],
    [{ settings: 'off' }, 'required', 'required'],
    [{ project: 'required' }, 'off', 'off'],
    [{ managed: 'required' }, 'off', 'required'],
    [{ managed: 'on', settings: 'off' }, 'off', 'on'],
    [{ managed: 'on' }, 'required', 'required'],
    [{ managed: 'off', settings: 'on' }, null, 'on'],
  ])('%j with the wish %s is %s', (modes, wish, mode) => {
    const sources = Object.entries(modes).map(([source, own]) => at(source as RuleSource, { mode: own }));
    expect(mergeSandbox(sources, wish).mode).toBe(mode);
  });
});

test('lists are put together; a project frees no command, asks for no free run and shows nothing that is hidden', () => {
  const section = {
    commands: ['a'],
    exclude: ['b'],
    network: { allow: ['c.org'], deny: ['d.org'] },
    filesystem: { write: ['/w'], denyRead: ['/secret'] },
    autoAllow: true,
  };
  const lists = { mode: 'off', commands: ['a'], allow: ['c.org'], deny: ['d.org'], write: ['/w'] };
  expect(mergeSandbox([at('project', section)], null)).toEqual({
    ...lists,
    exclude: [],
    denyRead: [...secretFolders, '/secret'],
    autoAllow: false,
  });
  expect(mergeSandbox([at('settings', section), at('project', section)], null)).toEqual({
    ...lists,
    exclude: ['b'],
    denyRead: ['/secret'],
    autoAllow: true,
  });
});

test('what is hidden stays so whatever the local file of a project says, which holds without trust', () => {
  const local = at('project_local', { filesystem: { write: [], denyRead: ['/secret'] } });
  expect(mergeSandbox([local], null).denyRead).toEqual([...secretFolders, '/secret']);
});

test('the administrator’s word on running unasked is the last one', () => {
  const sources = [at('managed', { autoAllow: false }), at('settings', { autoAllow: true })];
  expect(mergeSandbox(sources, null).autoAllow).toBe(false);
});
