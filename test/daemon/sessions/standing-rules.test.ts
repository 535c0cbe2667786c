import { expect, it } from 'vitest';
import { standingRules } from '../../../electron/daemon/sessions/standing-rules.ts';
import type { RuleRow } from '../../../electron/daemon/events/rows.ts';
import type { SourcedRule } from '../../../shared/domain/permissions/rules.ts';

const settings: SourcedRule = { effect: 'ask', tool: 'Read', subject: null, id: null, source: 'settings' };
const row = (id: string, effect: RuleRow['effect'], session: string | null): RuleRow => ({
  id,
  effect,
  tool: 'Bash',
  subject: null,
  source: session === null ? 'always' : 'session',
  session,
  createdAt: 0,
  by: null,
});
const stored = [row('rul_1', 'allow', null), row('rul_2', 'deny', null), row('rul_3', 'allow', 'ses_1')];
const free = { rules: [settings], onlyManagedRules: false, bypassDisabled: false };

it('stored rules come after settings, those of the session first', () => {
  const { rules, mode, keepsRules } = standingRules({ mode: 'bypassPermissions' }, free, stored);
  expect([rules.map(({ id, source }) => id ?? source), mode, keepsRules]).toEqual([
    ['settings', 'rul_3', 'rul_1', 'rul_2'],
    'bypassPermissions',
    true,
  ]);
});

it('where the administrator alone allows, stored allows do not hold and none is kept; bypassPermissions counts as default', () => {
  const closed = { ...free, onlyManagedRules: true, bypassDisabled: true };
  const { rules, mode, keepsRules } = standingRules({ mode: 'bypassPermissions' }, closed, stored);
  expect([rules.map(({ id, source }) => id ?? source), mode, keepsRules]).toEqual([
    ['settings', 'rul_2'],
    'default',
    false,
  ]);
});
