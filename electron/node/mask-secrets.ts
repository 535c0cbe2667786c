import { maskedMark as hidden } from '../../shared/domain/prompts.ts';

/** Shapes of well-known credentials, each with what may stay visible in group 1. */
const shapes: readonly RegExp[] = [
  /\b(Bearer |Basic )[A-Za-z0-9._~+/=-]{8,}/gi,
  /\b(sk-)[A-Za-z0-9_-]{8,}/g,
  /\b(xox[a-z]-|xapp-|gh[a-z]_|github_pat_|glpat-|AKIA|AIza|npm_)[A-Za-z0-9_-]{10,}/g,
  /\b(eyJ)[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  // Telegram: number of the bot, colon, 35 characters.
  /\b(\d{6,12}:)[A-Za-z0-9_-]{35}\b/g,
  // Credentials in an address: scheme://user:password@host.
  /([a-z][a-z0-9+.-]*:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/gi,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
];

const words =
  'token|secret|(?:api|access|account|private|signing|encryption)[_-]?key|secret_?key|password|passwd|passphrase|authorization|cookie|credential';
/** Names say it at their end (`GITHUB_TOKEN`) or before more words (`SECRET_SIGNING`, `NPM_TOKEN_CI`), but not where the rest says that no secret follows. */
const names = `(?:${words})s?(?:[_-](?!(?:file|path|dir|name|type|count|limit|ttl)\\b)[A-Za-z0-9]+){0,4}`;

/** A value behind a name that says what it is: JSON member, escaped JSON member, or assignment. */
const namedValues: readonly RegExp[] = [
  new RegExp(`((?:\\\\?")[A-Za-z0-9_.-]*${names}(?:\\\\?")\\s*:\\s*(?:\\\\?"))(?!\\\\?")[^"\\\\]+`, 'gi'),
  new RegExp(`(\\b[A-Za-z0-9_]*${names}=)[^\\s"'&;\\\\]+`, 'gi'),
];

/** The text with what looks like a credential replaced; works on log lines (also JSON), environment dumps and addresses. */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const shape of [...namedValues, ...shapes]) masked = masked.replace(shape, `$1${hidden}`);
  return masked;
}

/** Only characters that no shell interprets: what is hidden can be a credential, never a part of a program. */
const literal = '[A-Za-z0-9._~+/=-]{8,}';
const literalShapes: readonly RegExp[] = [
  ...shapes.slice(0, 5),
  new RegExp(`(\\b[A-Za-z0-9_]*${names}["']?\\s*[=:]\\s*["']?)${literal}`, 'gi'),
  // `--password VALUE`; a place that stands there is shown.
  new RegExp(`(--[A-Za-z0-9-]{0,40}${names}[ \\t]+["']?)(?![-./])${literal}`, 'gi'),
  new RegExp(`([a-z][a-z0-9+.-]*://[A-Za-z0-9._-]*:)${literal}(?=@)`, 'gi'),
];

/**
 * Masks credentials in a text that a person decides on. Unlike `maskSecrets` it hides plain literals only: a substitution or a
 * quote inside a value stays visible, because what is shown has to be what runs.
 */
export function maskLiteralSecrets(text: string): string {
  return literalShapes.reduce((masked, shape) => masked.replace(shape, `$1${hidden}`), text);
}

/** True where `maskLiteralSecrets` would hide something. */
export function holdsLiteralSecret(text: string): boolean {
  return maskLiteralSecrets(text) !== text;
}

/** Masks known values besides well-known shapes; values shorter than 8 characters would hide ordinary words. */
export interface SecretMask {
  /** From now on `value` is never printed. */
  add(value: string): void;
  mask(text: string): string;
}

/** A mask that starts out knowing shapes only. */
export function createSecretMask(): SecretMask {
  const values = new Set<string>();
  return {
    add(value) {
      if (value.length < 8) return;
      values.add(value);
      // The same value as it stands inside a JSON line.
      values.add(JSON.stringify(value).slice(1, -1));
    },
    mask(text) {
      let masked = text;
      for (const value of values) masked = masked.replaceAll(value, hidden);
      return maskSecrets(masked);
    },
  };
}
