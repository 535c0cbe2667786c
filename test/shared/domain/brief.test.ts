import { describe, expect, it } from 'vitest';
import {
  briefCommand,
  type BriefPolicy,
  briefProblem,
  isBriefActive,
  isBriefEntitled,
  ordinaryBrief,
} from '../../../shared/domain/brief.ts';

const policy = (own: Partial<BriefPolicy>): BriefPolicy => ({ ...ordinaryBrief, ...own });

describe('brief mode', () => {
  it.each([
    ['by the rollout', {}, 'kairos', true],
    ['not without it', { rollout: false }, 'kairos', false],
    ['by KAIROS_BRIEF=1 all the same', { rollout: false, forced: true }, 'kairos', true],
    ['as an assistant all the same', { rollout: false }, 'kairos_assistant', true],
    ['never in a build without it', { built: false, forced: true }, 'kairos_assistant', false],
  ] as const)('may be used %s', (_title, own, workerType, entitled) => {
    expect(isBriefEntitled(policy(own), { workerType })).toBe(entitled);
  });

  it.each([
    ['where it was opted in for', {}, 'kairos', true, true],
    ['not elsewhere', {}, 'kairos', false, false],
    ['always in an assistant session', {}, 'kairos_assistant', false, true],
    ['nowhere without leave', { rollout: false }, 'kairos', true, false],
  ] as const)('holds %s', (_title, own, workerType, brief, active) => {
    expect(isBriefActive(policy(own), { workerType, brief })).toBe(active);
  });

  it.each([
    ['on', {}, 'kairos', true, null],
    ['off', {}, 'kairos', false, null],
    ['off, also where it may not be used', { rollout: false }, 'kairos', false, null],
    ['on without leave', { rollout: false }, 'kairos', true, /switched off in settings/],
    ['on in a build without it', { built: false }, 'kairos', true, /not part of this build/],
    ['off in an assistant session', {}, 'kairos_assistant', false, /always/],
  ] as const)('is switched %s', (_title, own, workerType, brief, problem) => {
    const told = briefProblem(policy(own), { workerType }, brief);
    if (problem === null) expect(told).toBeNull();
    else expect(told).toEqual({ message: expect.stringMatching(problem), next: expect.any(String) });
  });

  it.each([
    ['/brief', true],
    [' /BRIEF on\n', true],
    ['/brief off', false],
    ['/brief maybe', null],
    ['please /brief', null],
    ['/briefing', null],
    ['/brief\noff and on', null],
  ])('%j is a command: %s', (text, wish) => {
    expect(briefCommand(text)).toBe(wish);
  });
});
