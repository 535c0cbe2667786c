import { describe, expect, it } from 'vitest';
import { showingFor } from '../../../electron/daemon/prompts/showing.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';

const traits = { kinds: ['approval'], maxShown: 200, provesSender: false, scopes: ['once'] } as const;
const prompt = (preview: string): PromptView => ({
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
  preview,
  options: [],
  multiple: false,
  rule: null,
  dir: '/w',
  createdAt: 1,
  expiresAt: 2,
  verdict: null,
  by: null,
});

describe('what a surface shows of a prompt', () => {
  it('is the whole preview when it fits', () => {
    expect(showingFor(prompt('echo hi'), traits, 'd'.repeat(64))).toMatchObject({
      text: 'echo hi',
      whole: true,
    });
  });

  it('is head, tail and digest, never longer than the surface, when it does not fit', () => {
    const showing = showingFor(prompt(`start${'x'.repeat(500)}end`), traits, 'abcdef0123456789');
    expect(showing.whole).toBe(false);
    expect(showing.text.length).toBeLessThanOrEqual(200);
    expect(showing.text).toMatch(/^startx+ … \[cut, 508 characters, abcdef01\] … x+end$/);
  });

  it('is cut hard on a surface that shows almost nothing', () => {
    expect(showingFor(prompt('y'.repeat(99)), { ...traits, maxShown: 10 }, 'e'.repeat(64)).text).toHaveLength(
      10,
    );
  });
});
