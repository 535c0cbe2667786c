/** Why Kairos runs nothing, and what to do about it: one sentence each. */
export interface SafeModeWords {
  readonly why: string;
  readonly next: string;
}

/** What to do where the reason does not say it. */
const general = 'Mend the cause (see: kairos doctor, kairos logs)';

/**
 * Splits the reason of safe mode, one sentence that may be followed by what to do about it, so that nobody is given two advices.
 * Every cure ends with a restart.
 */
export function safeModeWords(reason: string): SafeModeWords {
  const [, why = reason, own] = /^(.*?[.!?]) ([A-Z].*)$/s.exec(reason.trim()) ?? [];
  const advice = (own ?? general).replace(/\.$/, '');
  const next = /kairos daemon (re)?start/.test(advice)
    ? `${advice}.`
    : `${advice}, then: kairos daemon restart`;
  return { why: /[.!?]$/.test(why) ? why : `${why}.`, next };
}
