import { expect, test } from 'vitest';
import { isModeNote, modeNews } from '../../../electron/worker/agent/mode-news.ts';

test('the model is told once that plan mode began and once that it is over, and of no other mode', () => {
  const begun = modeNews('plan', null);
  expect([
    begun?.digest,
    begun?.text.includes('ExitPlanMode'),
    modeNews('plan', 'mode:plan'),
    modeNews('default', 'mode:plan'),
    modeNews('default', null),
    modeNews('bypassPermissions', 'mode:default'),
    modeNews(undefined, 'mode:plan'),
    isModeNote('mode:plan'),
    isModeNote('0123456789abcdef'),
  ]).toEqual([
    'mode:plan',
    true,
    null,
    { digest: 'mode:default', text: 'Plan mode is over: the mode is default now.' },
    null,
    null,
    null,
    true,
    false,
  ]);
});
