import { oneLine } from '../../base/visible-text.ts';
import type { Decision } from './call-facts.ts';

/** A reason that is shown has at most this many characters. */
const longest = 300;

/** Why a person is asked, as people read it behind "Asks because:"; `mask` takes out what looks like a secret. */
export function askReason({ by, rule, reason }: Decision, mask: (text: string) => string): string {
  const what =
    rule === null ? by : rule === '*' ? `${by} ${rule}, which is about every tool` : `${by} ${rule}`;
  const more = reason === undefined ? '' : `: ${reason}`;
  return oneLine(mask(`${what}${more}`), longest).replace(/\.$/, '');
}
