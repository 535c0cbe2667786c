import type { IncomingHttpHeaders } from 'node:http';
import type { Ask } from './ask.ts';
import type { FinishReason, RetryHint, ScriptedCall, UsageFigures } from './script.ts';

/** A whole answer that is not from a script: an error or a list. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Why a request is not valid; `type` and `code` are the wire's words where they differ from the status' usual ones. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
}

/** What a prompt costs with the cache as it is; `commit` puts its prefixes into the cache. */
export interface Tally {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  commit(): void;
}

/** What one request is checked against. */
export interface Ground {
  readonly models: readonly string[];
  /** undefined = no key is asked for. */
  readonly apiKey: string | undefined;
  readonly contextWindow: number;
}

/** Turns pieces into frames of the body. One per answer; a whole (not streamed) answer gives its only frame at `finish`. */
export interface Encoder {
  readonly contentType: string;
  start(usage: UsageFigures): Iterable<string>;
  text(text: string, chunk: number): Iterable<string>;
  thinking(text: string, signature: string | undefined, chunk: number): Iterable<string>;
  calls(calls: readonly Required<ScriptedCall>[], chunk: number, interleaved: boolean): Iterable<string>;
  ping(): Iterable<string>;
  malformed(data: string): Iterable<string>;
  /** undefined: there is no stream to put it in, so it is an HTTP error. */
  error(type: string | undefined, message: string): string | undefined;
  finish(reason: FinishReason, usage: UsageFigures): Iterable<string>;
}

/** One model API as it looks on the network. Holds the state of one server (cache, signatures). */
export interface Wire {
  readonly name: 'anthropic' | 'openai';
  readonly chatPath: string;
  /** Checks headers and body of a chat request; `body` is undefined when it was no JSON. */
  check(headers: IncomingHttpHeaders, body: unknown, ground: Ground): Problem | undefined;
  /** Reads a checked body. */
  read(body: unknown): Ask;
  tally(body: unknown): Tally;
  encoder(ask: Ask, body: unknown): Encoder;
  refuse(problem: Problem, hint?: RetryHint): PlainAnswer;
  /** GET requests: lists of models. */
  get(path: string, headers: IncomingHttpHeaders, ground: Ground): PlainAnswer;
  /** Forgets every cached prefix, as after a long pause. */
  forgetCache(): void;
}
