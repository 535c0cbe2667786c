import type { PromptKind, Verdict } from '../domain/prompts.ts';

/** An answer that a card offers to an approval, and whether it may be given now. */
export interface Choice {
  readonly name: 'deny' | 'once' | 'session' | 'always';
  readonly key: string;
  readonly verdict: Verdict;
  readonly isReady: boolean;
  /** The rule that `always` stores; null for the others. */
  readonly rule: string | null;
}

/** What decides which answers are offered. `canKeep`: this window may allow more than this once. */
export interface ChoiceFacts {
  readonly kind: PromptKind;
  readonly rule: string | null;
  readonly canKeep: boolean;
  /** The end of the preview was in sight. */
  readonly isSeen: boolean;
  readonly isSending: boolean;
}

/** Deny is always possible; to allow, everything has to have been seen; what is kept needs a rule and an owner's window. */
export function choicesFor(facts: ChoiceFacts): readonly Choice[] {
  const { rule, canKeep, isSeen, isSending } = facts;
  const allow = (name: 'once' | 'session' | 'always', key: string): Choice => ({
    name,
    key,
    verdict: { behavior: 'allow', scope: name },
    isReady: isSeen && !isSending,
    rule: name === 'always' ? rule : null,
  });
  const kept = canKeep ? keptScopes(facts).map(([name, key]) => allow(name, key)) : [];
  const deny: Choice = {
    name: 'deny',
    key: 'n',
    verdict: { behavior: 'deny' },
    isReady: !isSending,
    rule: null,
  };
  return [deny, allow('once', 'y'), ...kept];
}

/** A rule is kept for the session or for good; an approved plan may also let files of the directory change for the session. */
function keptScopes({ kind, rule }: ChoiceFacts): readonly (readonly ['session' | 'always', string])[] {
  if (kind === 'plan') return [['session', 's']];
  if (kind !== 'approval' || rule === null) return [];
  return [
    ['session', 's'],
    ['always', 'r'],
  ];
}
