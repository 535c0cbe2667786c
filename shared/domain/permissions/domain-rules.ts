/** The hosts that `domain:...` means: a host, `*.host` all below it, `*` all. */
export interface DomainSpec {
  readonly host: string;
  readonly below: boolean;
}

/** Reads what stands in `WebFetch(...)`; a text says what is wrong with it, to follow "Rule ...". */
export function parseDomain(spec: string): DomainSpec | string {
  if (!spec.startsWith('domain:')) return 'names no host; write WebFetch(domain:example.com)';
  const name = spec.slice('domain:'.length).trim();
  if (name === '*') return { host: '', below: true };
  const below = name.startsWith('*.');
  const host = below ? name.slice(2) : name;
  const problem = 'needs a host alone after "domain:", such as example.com or *.example.com';
  if (host === '' || /[\s/\\@?#*%]|:(?!.*\])/.test(host)) return problem;
  const known = normalHost(host);
  return known === null || known.split('.').includes('') ? problem : { host: known, below };
}

/** A host as every way to write it ends up: small letters, punycode, no dot at its end; null: none. */
export function normalHost(host: string): string | null {
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  const plain = hostname.replace(/\.$/, '');
  return plain === '' ? null : plain;
}

/**
 * True when a spec means a host. `wide` (deny and ask): a host alone also means everything below it, so that nobody gets around it by
 * another name of the same owner; an allow rule means it only with `*.` in front.
 */
export function matchesDomain({ host, below }: DomainSpec, wanted: string, wide: boolean): boolean {
  if (host === '') return true;
  const isBelow = wanted.endsWith(`.${host}`);
  if (below) return isBelow || (wide && wanted === host);
  return wanted === host || (wide && isBelow);
}
