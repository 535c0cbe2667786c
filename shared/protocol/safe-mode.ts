/** Why Kairos runs nothing, and what to do about it: one sentence each. */
export interface SafeModeWords {
  readonly why: string;
  readonly next: string;
}

/** What to do where the reason does not say it. */
const general = 'Mend the cause (see: kairos doctor, kairos logs)';

/**
 * Splits why something failed, one sentence, from what to do about it where that follows, so that nobody is given two advices;
 * `next` null where it does not.
 */
export function splitReason(reason: string): { readonly why: string; readonly next: string | null } {
  const [, why = reason.trim(), next = null] = /^(.*?[.!?]) ([A-Z].*)$/s.exec(reason.trim()) ?? [];
  return { why: /[.!?]$/.test(why) ? why : `${why}.`, next };
}

/** The reason of safe mode in two parts. Every cure ends with a restart. */
export function safeModeWords(reason: string): SafeModeWords {
  const { why, next: own } = splitReason(reason);
  const advice = (own ?? general).replace(/\.$/, '');
  const next = /kairos daemon (re)?start/.test(advice)
    ? `${advice}.`
    : `${advice}, then: kairos daemon restart`;
  return { why, next };
}
