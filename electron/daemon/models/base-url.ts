/**
 * The address that a wire's paths are added to, from what people write: the Anthropic one ends in a version (`/v1` is added),
 * the OpenAI one is taken as it stands when it has a path. No trailing slash.
 */
export function normalBaseUrl(wire: 'anthropic' | 'openai', url: string): string {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  const isVersioned = /\/v\d+[a-z]*\d*$/.test(path);
  if (isVersioned || (wire === 'openai' && path !== '')) return `${origin}${path}`;
  return `${origin}${path}/v1`;
}

/** True when the address is this machine's. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
