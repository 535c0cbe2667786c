import ipaddr from 'ipaddr.js';

/** What may be reached; `deny` before `allow`. */
export interface NetworkRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/**
 * How a host may be reached: `public` = at public addresses only, `named` = at the very address that a rule names, wherever it
 * is; null: not at all.
 */
export type Reach = 'public' | 'named' | null;

/** A host as rules and programs write it, in one form: lower case, no brackets, no dot at the end, addresses as numbers. */
export function plainHost(host: string): string {
  const bare = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}

interface HostRule {
  readonly host: string;
  /** null: every port. */
  readonly port: number | null;
}

function readRule(text: string): HostRule {
  const match = /^(.*?)(?::(\d{1,5}))?$/.exec(text.trim());
  const [, host = '', port] = match ?? [];
  // An IPv6 address without brackets has colons of its own.
  if (ipaddr.IPv6.isValid(text.trim())) return { host: plainHost(text.trim()), port: null };
  return { host: plainHost(host), port: port === undefined ? null : Number(port) };
}

const thisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopback(host);

function isLoopback(host: string): boolean {
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

function matches(rule: HostRule, host: string, port: number): boolean {
  if (rule.port !== null && rule.port !== port) return false;
  if (rule.host === '*') return true;
  // `*.x` is x itself and everything below it; an address is never below a name.
  if (rule.host.startsWith('*.')) {
    const base = rule.host.slice(2);
    return !ipaddr.isValid(host) && (host === base || host.endsWith(`.${base}`));
  }
  return rule.host === host;
}

/** How the host may be reached at that port. Services of this machine only where a rule names them with their port. */
export function reachOf(host: string, port: number, { allow, deny }: NetworkRules): Reach {
  const plain = plainHost(host);
  if (deny.map(readRule).some((rule) => matches(rule, plain, port))) return null;
  const rules = allow.map(readRule).filter((rule) => matches(rule, plain, port));
  if (rules.length === 0) return null;
  const named = rules.some((rule) => rule.host === plain);
  if (thisMachine(plain))
    return rules.some((rule) => rule.host === plain && rule.port === port) ? 'named' : null;
  return named && ipaddr.isValid(plain) ? 'named' : 'public';
}
