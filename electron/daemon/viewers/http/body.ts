import { KairosError } from '../../../../shared/base/errors.ts';
import { limits, longMessageNext } from '../../../../shared/protocol/bridge.ts';
import { badInput } from './answers.ts';

/** The JSON of a request's body, undefined when it has none; throws `bad_input` or `too_large` before all of it is read. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > limits.bodyBytes) throw tooLarge();
  const text = declared === null ? await readCounted(request) : await request.text();
  if (text === '') return undefined;
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    throw badInput('The body has to be JSON.', 'Send it with Content-Type: application/json.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw badInput('The body is not valid JSON.');
  }
}

async function readCounted(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  if (request.body === null) return text;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > limits.bodyBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(): KairosError {
  const message = `The body is larger than ${limits.bodyBytes / 1024} KB.`;
  return new KairosError('too_large', message, { next: longMessageNext });
}
