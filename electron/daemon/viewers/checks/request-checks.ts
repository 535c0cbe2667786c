/** Why a request is refused, in the shape of the error body; null from a check means that it passed. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 413 | 421 | 429;
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

/** The names under which this bridge may be addressed: `host:port` for Host, whole origins for Origin. */
export interface Addresses {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

/** What the checks look at; header values are undefined when absent. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly upgrade: boolean;
}

/** The addresses of a bridge on a loopback port, and of the trusted origin in front of it where one is set. */
export function addressesOf(port: number, publicOrigin?: string): Addresses {
  const local = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  const outside = publicOrigin === undefined ? [] : [new URL(publicOrigin)];
  return {
    hosts: new Set([...local, ...outside.map((url) => url.host)]),
    origins: new Set([...local.map((host) => `http://${host}`), ...outside.map((url) => url.origin)]),
  };
}

/** Checks Host, Origin and the place of the token, in this order; the same for HTTP and for WebSocket upgrades. */
export function checkHead(head: RequestHead, addresses: Addresses): Refusal | null {
  return checkHost(head, addresses) ?? checkOrigin(head, addresses) ?? checkQuery(head);
}

/** DNS rebinding: a page of another name that resolves to this machine sends its own name as Host. */
function checkHost({ host }: RequestHead, { hosts }: Addresses): Refusal | null {
  if (host !== undefined && hosts.has(host.toLowerCase())) return null;
  return {
    status: 421,
    code: 'bad_host',
    message: 'The Host header does not name this bridge.',
    next: 'Use the address that `kairos daemon status` prints.',
  };
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD']);

function checkOrigin(head: RequestHead, { origins }: Addresses): Refusal | null {
  const { origin, fetchSite } = head;
  if (origin !== undefined) return origins.has(origin.toLowerCase()) ? null : foreignOrigin;
  if (head.upgrade || !reading.has(head.method)) {
    return {
      status: 403,
      code: 'origin_missing',
      message: 'This request needs an Origin header that names this bridge.',
      next: 'Send `Origin` with the address that `kairos daemon status` prints.',
    };
  }
  const ours = fetchSite === undefined || fetchSite === 'none' || fetchSite === 'same-origin';
  return ours ? null : foreignOrigin;
}

const foreignOrigin: Refusal = {
  status: 403,
  code: 'bad_origin',
  message: 'Requests from other web pages are refused.',
  next: 'Open the window at the address that `kairos daemon status` prints.',
};

const secretNames =
  /(?:^|[?&;])[^=&;]*(?:token|ticket|authorization|api_?key|secret|password)[^=&;]*(?:=|$|[&;])/i;

/** A secret in an address ends in histories and logs: refused even when it is valid. */
function checkQuery({ target }: RequestHead): Refusal | null {
  const start = target.indexOf('?');
  if (start < 0 || !secretNames.test(decodeLoosely(target.slice(start)))) return null;
  return {
    status: 400,
    code: 'secret_in_query',
    message: 'A token in the address is refused.',
    next: 'Send it in the Authorization header, and make a new one: this one may stand in a log by now.',
  };
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Broken escapes: looked at as they are.
    return text;
  }
}

/** The token of `Authorization: Bearer <token>`; undefined when the header is absent or of another form. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]{16,512})$/i.exec(header ?? '')?.[1];
}
