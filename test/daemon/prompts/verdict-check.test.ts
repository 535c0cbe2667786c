import { describe, expect, it } from 'vitest';
import { verdictRefusal } from '../../../electron/daemon/prompts/verdict-check.ts';
import type { OfferRow, PromptRow } from '../../../electron/daemon/events/rows.ts';
import type { Verdict } from '../../../shared/domain/prompts.ts';

const approval = {
  id: 'pmt_1',
  code: 'abcde',
  kind: 'approval',
  state: 'open',
  session: 'ses_1',
  sessionName: null,
  call: 'cal_1',
  tool: 'Bash',
  headline: 'Bash: x',
  description: '',
  preview: 'echo hi',
  options: [],
  multiple: false,
  rule: 'Bash(echo hi)',
  dir: '/w',
  createdAt: 1,
  expiresAt: 2,
  verdict: null,
  by: null,
  digest: 'd',
  ruleSubject: { tool: 'Bash', subject: 'echo hi' },
  risks: null,
  reason: null,
  origin: { principal: 'owner', trust: 'owner', surface: 'viewers' },
} satisfies PromptRow;
const which = {
  ...approval,
  kind: 'question',
  options: [{ label: 'Red' }, { label: 'Blue' }],
} satisfies PromptRow;
const offer: OfferRow = {
  prompt: 'pmt_1',
  surface: 'phone',
  offeredAt: 1,
  shown: 7,
  settledTold: false,
  externalId: null,
};
const surface = { kinds: ['approval'], maxShown: 200, provesSender: false, scopes: ['once'] } as const;
const once: Verdict = { behavior: 'allow', scope: 'once' };
const trust = { ...approval, kind: 'trust', call: null, tool: null, rule: null } satisfies PromptRow;

const rows: [string, Partial<Parameters<typeof verdictRefusal>[0]>, RegExp | null][] = [
  ['an allow of what was shown whole counts', {}, null],
  ['a surface that was not asked has no say', { offer: null }, /not asked/],
  ['an unknown surface has no say', { surface: null }, /not asked/],
  ['an allow of a cut preview does not count', { offer: { ...offer, shown: 6 } }, /too long/],
  ['a deny of a cut preview counts', { offer: { ...offer, shown: 1 }, verdict: { behavior: 'deny' } }, null],
  [
    'an offer that was not confirmed as shown cannot be allowed',
    { offer: { ...offer, shown: null } },
    /too long/,
  ],
  ['trust of the owner counts', { prompt: trust, owner: true }, null],
  ['trust of anybody else does not', { prompt: trust }, /Only the owner/],
  ['nor does a refusal of trust', { prompt: trust, verdict: { behavior: 'deny' } }, /Only the owner/],
  [
    'trust has no scope',
    { prompt: trust, owner: true, verdict: { behavior: 'allow', scope: 'session' } },
    /cannot allow with scope/,
  ],
  ['only an owner allows for longer', { verdict: { behavior: 'allow', scope: 'always' } }, /Only the owner/],
  [
    'not even an owner where the surface has no such scope',
    { verdict: { behavior: 'allow', scope: 'always' }, owner: true },
    /cannot allow/,
  ],
  ['an approval is not answered with text', { verdict: { behavior: 'answer', text: 'A' } }, /allow or deny/],
  ['a question is not allowed', { prompt: { ...approval, kind: 'question' } }, /question/],
  [
    'a question is answered',
    { prompt: { ...approval, kind: 'question' }, verdict: { behavior: 'answer', text: 'A' } },
    null,
  ],
  [
    'a letter that is no option does not answer',
    { prompt: which, verdict: { behavior: 'answer', text: 'C' } },
    /^"C" is none of the options: A\) Red, B\) Blue\. Name one, or answer in more words\.$/,
  ],
  ['an option by letter answers', { prompt: which, verdict: { behavior: 'answer', text: 'b' } }, null],
  [
    'words beside the options answer',
    { prompt: which, verdict: { behavior: 'answer', text: 'Neither, I like green' } },
    null,
  ],
  [
    'a letter beside the options answers when it is meant so',
    { prompt: which, verdict: { behavior: 'answer', text: 'C', ownWords: true } },
    null,
  ],
  [
    'what Kairos asks about every time can be allowed once only, and the refusal says why',
    {
      prompt: { ...approval, rule: null, reason: 'rule (settings) Bash(git push:*)' },
      owner: true,
      verdict: { behavior: 'allow', scope: 'session' },
      surface: { ...surface, scopes: ['once', 'session'] },
    },
    /^It can be allowed once only: it is asked every time \(rule \(settings\) Bash\(git push:\*\)\)\.$/,
  ],
  [
    'what no rule is kept for can be allowed once only, and the refusal says why',
    {
      prompt: { ...approval, rule: null, reason: 'mode default' },
      owner: true,
      verdict: { behavior: 'allow', scope: 'session' },
      surface: { ...surface, scopes: ['once', 'session'] },
    },
    /^It can be allowed once only: no rule is kept for a call like this\.$/,
  ],
  [
    'what contains a secret can be allowed once only, and the refusal says why',
    {
      prompt: { ...approval, rule: null, headline: 'Bash: TOKEN=[masked] x' },
      owner: true,
      verdict: { behavior: 'allow', scope: 'always' },
      surface: { ...surface, scopes: ['once', 'always'] },
    },
    /^It can be allowed once only: it contains what looks like a secret/,
  ],
];

describe('which verdicts may count', () => {
  it.each(rows)('%s', (_title, change, expected) => {
    const refusal = verdictRefusal({
      prompt: approval,
      verdict: once,
      owner: false,
      surface,
      offer,
      ...change,
    });
    if (expected === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(expected);
  });
});
