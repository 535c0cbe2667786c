import { lookup as systemLookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { KairosError } from '../../../../shared/base/errors.ts';

/** An address of a host as the resolver gives it. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** The system's resolver, every address. */
export const systemResolve: Resolve = (host) => systemLookup(host, { all: true });

/**
 * True for an address on the public internet. Loopback, private, link-local (cloud metadata), carrier-grade, multicast,
 * reserved and translated addresses (which can carry any of those inside) are none. Source: the IANA special-purpose registries as
 * ipaddr.js keeps them.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // Of IPv6 only 2000::/3 was ever given out: ::127.0.0.1 is nobody's.
  const isGiven = !(parsed instanceof ipaddr.IPv6) || ((parsed.parts[0] ?? 0) & 0xe000) === 0x2000;
  return isGiven && parsed.range() === 'unicast';
}

/**
 * The address to connect to: every address of the host has to be public, so that a name that answers with both kinds cannot win
 * by chance. The caller connects to this very address; a second answer of the name is never asked for (DNS rebinding).
 * Rejects with KairosError `not_public` or `unknown_host`.
 */
export async function publicAddress(
  hostname: string,
  resolve: Resolve,
  isAllowed: (address: string) => boolean = isPublicAddress,
): Promise<Address> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const literal = ipaddr.isValid(host)
    ? [{ address: host, family: ipaddr.parse(host).kind() === 'ipv6' ? 6 : 4 }]
    : null;
  const addresses = literal ?? (await resolveOrFail(host, resolve));
  const bad = addresses.find(({ address }) => !isAllowed(address));
  if (bad) {
    throw new KairosError(
      'not_public',
      `"${host}" is not on the public internet (${bad.address}): WebFetch reaches nothing on this machine or its networks`,
    );
  }
  const [first] = addresses;
  if (!first) throw new KairosError('unknown_host', `"${host}" has no address`);
  return first;
}

async function resolveOrFail(host: string, resolve: Resolve): Promise<readonly Address[]> {
  try {
    return await resolve(host);
  } catch (cause) {
    throw new KairosError('unknown_host', `the host "${host}" cannot be found`, { cause });
  }
}
