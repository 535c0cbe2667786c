/** 25 letters: a to z without l, so that a code is never misread on a phone. */
const alphabet = 'abcdefghijkmnopqrstuvwxyz';

/** Substrings a code must not contain: a code is read aloud and shown on phones. */
const blocked = [
  'anal',
  'anus',
  'arse',
  'ass',
  'bich',
  'bum',
  'cock',
  'coon',
  'crap',
  'cum',
  'damn',
  'dick',
  'die',
  'dyke',
  'fag',
  'fuk',
  'fuck',
  'gook',
  'homo',
  'jap',
  'kkk',
  'nazi',
  'nig',
  'poop',
  'pus',
  'rape',
  'sex',
  'shit',
  'tit',
];

/** 32-bit FNV-1a of the UTF-16 code units' low and high bytes. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    if (unit > 0xff) hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
  }
  return hash >>> 0;
}

/** Five letters in base 25 of a 32-bit number, lowest digit first. */
export function letters(hash: number): string {
  let rest = hash >>> 0;
  let code = '';
  for (let digit = 0; digit < 5; digit += 1) {
    code += alphabet.charAt(rest % 25);
    rest = Math.floor(rest / 25);
  }
  return code;
}

/**
 * The code of a prompt: FNV-1a of a keyed id, salted and tried again while it contains a blocked word or equals a live code.
 * `keyed` must depend on a secret of this installation, so that a code cannot be computed from public data.
 */
export function approvalCode(keyed: string, isLive: (code: string) => boolean): string {
  for (let salt = 0; ; salt += 1) {
    const code = letters(fnv1a(salt === 0 ? keyed : `${keyed}:${salt}`));
    if (!isLive(code) && !blocked.some((word) => code.includes(word))) return code;
  }
}

const verdictText = /^\s*(y|yes|n|no)\s+([a-km-z]{5})\s*$/i;

/** Reads `yes abcde` / `no abcde`; anything else, a bare "yes" too, is chat: null. */
export function parseVerdictText(text: string): { behavior: 'allow' | 'deny'; code: string } | null {
  const match = verdictText.exec(text);
  if (!match?.[1] || !match[2]) return null;
  return {
    behavior: match[1].toLowerCase().startsWith('y') ? 'allow' : 'deny',
    code: match[2].toLowerCase(),
  };
}
