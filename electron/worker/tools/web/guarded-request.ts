import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorCode, errorMessage, KairosError } from '../../../../shared/base/errors.ts';
import type { StopSignal } from '../../../../shared/base/ports.ts';
import { type Address, publicAddress, type Resolve } from './public-address.ts';

/** What a request may reach and how much it may bring. */
export interface RequestTerms {
  readonly resolve: Resolve;
  readonly isAllowed: (address: string) => boolean;
  readonly signal: StopSignal;
  /** Bytes of the body after decompression; more is an error. */
  readonly longest: number;
}

/** An answer without its redirects followed. `type`: content type as sent; `location`: target of a redirect, absolute. */
export interface Page {
  readonly status: number;
  readonly type: string;
  readonly location: string | null;
  readonly body: Uint8Array;
}

/** One GET of an http(s) address, to a public address only. Rejects with a KairosError whose message a model can read. */
export async function guardedRequest(url: URL, terms: RequestTerms): Promise<Page> {
  const address = await publicAddress(url.hostname, terms.resolve, terms.isAllowed);
  try {
    const answer = await open(url, address, terms.signal);
    const status = answer.statusCode ?? 0;
    const location = target(answer.headers.location, url);
    const type = answer.headers['content-type'] ?? '';
    if (status >= 300 && status < 400 && location !== null) {
      answer.destroy();
      return { status, type, location, body: new Uint8Array() };
    }
    return { status, type, location: null, body: await readBody(answer, terms.longest) };
  } catch (error) {
    if (error instanceof KairosError) throw error;
    throw new KairosError('unreachable', `"${url.host}" does not answer: ${why(error)}`, { cause: error });
  }
}

function why(error: unknown): string {
  return errorCode(error) === 'ABORT_ERR' ? 'the request was stopped' : errorMessage(error);
}

function open(url: URL, { address, family }: Address, signal: StopSignal): Promise<IncomingMessage> {
  // Node asks for one address or for all of them; both get the checked one.
  const pinned: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const headers = {
      'user-agent': 'Kairos (WebFetch)',
      accept: 'text/html,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
    };
    const made = send(url, { headers, lookup: pinned, signal: signal as AbortSignal, agent: false });
    made.on('response', resolve).on('error', reject).end();
  });
}

function target(location: string | undefined, from: URL): string | null {
  if (location === undefined) return null;
  return URL.parse(location, from.href)?.href ?? null;
}

async function readBody(answer: IncomingMessage, longest: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unpacked(answer) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > longest)
        throw new KairosError('too_large', `the page is larger than ${longest / 1024 / 1024} MB`);
      chunks.push(chunk);
    }
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks);
}

function unpacked(answer: IncomingMessage): Readable {
  const decoder = decoderOf(answer.headers['content-encoding']);
  if (decoder === null) return answer;
  answer.on('error', (error) => decoder.destroy(error));
  return answer.pipe(decoder);
}

function decoderOf(encoding: string | undefined) {
  switch (encoding) {
    case 'gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}
