import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import type { Provider } from './providers.ts';

/** One small request to a model server. `key` null: it is asked without one. */
export interface ServerQuestion {
  readonly provider: Pick<Provider, 'wire' | 'baseUrl'>;
  /** Below the base address, as `/models`. */
  readonly path: string;
  readonly key: string | null;
  /** Absent: GET. */
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** What came of it; `body` is the parsed JSON, undefined when it was none. */
export type ServerAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown; readonly ms: number }
  | { readonly kind: 'unreachable'; readonly why: string }
  | { readonly kind: 'timed_out'; readonly ms: number };

/** More than any list of models; a server that sends more is not read to the end. */
const longestAnswer = 8 * 1024 * 1024;

/** Asks once; never rejects. Redirects are not followed: the key goes to nobody else. */
export async function askServer(question: ServerQuestion): Promise<ServerAnswer> {
  const { provider, path, body, timeoutMs, clock } = question;
  const abort = new AbortController();
  const cancel = clock.after(timeoutMs, () => abort.abort(), { keepAlive: false });
  const begun = clock.monotonic();
  try {
    const response = await fetch(`${provider.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: headersOf(question),
      redirect: 'manual',
      signal: abort.signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await readText(response);
    return {
      kind: 'answer',
      status: response.status,
      body: parsed(text),
      ms: Math.round(clock.monotonic() - begun),
    };
  } catch (error) {
    if (abort.signal.aborted) return { kind: 'timed_out', ms: timeoutMs };
    return { kind: 'unreachable', why: whyNot(error) };
  } finally {
    cancel();
  }
}

function headersOf({ provider, key, body }: ServerQuestion): Record<string, string> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  if (provider.wire === 'anthropic') {
    return { ...type, 'anthropic-version': '2023-06-01', ...(key === null ? {} : { 'x-api-key': key }) };
  }
  return { ...type, ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > longestAnswer) throw new Error('its answer is too long');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not a model server (a proxy, a web page): the status says what there is to say.
    return undefined;
  }
}

/** `fetch` hides the reason in its cause; the address is not repeated, it may hold a password. */
function whyNot(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = errorCode(cause);
  const texts: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
    ENOTFOUND: 'its name is not known (ENOTFOUND)',
    EAI_AGAIN: 'its name could not be looked up (EAI_AGAIN)',
    ECONNRESET: 'it closed the connection (ECONNRESET)',
    UND_ERR_SOCKET: 'it closed the connection',
  };
  return texts[code] ?? (/^[A-Z][A-Z0-9_]+$/.test(code) ? code : errorMessage(cause));
}
