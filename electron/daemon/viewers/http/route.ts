import type * as z from 'zod/mini';
import type { Scope } from '../../../../shared/protocol/bridge.ts';
import type { Principal } from '../access/principal.ts';
import { type Answer, badInput } from './answers.ts';
import { inputError } from './input-error.ts';

/** A checked request. `params` are those of the path, decoded. */
export interface Call<Body> {
  readonly who: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** The bytes of the request's body, as they come; empty for routes that do not take bytes. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** One row of the route table. Paths are below `/api/v1`. */
export interface RouteSpec<Body> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** `open`: no token at all; `ticket`: the body proves who asks. */
  readonly scope: Scope | 'open' | 'ticket';
  readonly handle: (call: Call<Body>) => Promise<Answer>;
}

/** A row whose body type is known to itself alone. */
export interface Route extends Omit<RouteSpec<never>, 'handle'> {
  /** What it reads of a request: nothing, JSON, or bytes that it takes as they come. */
  readonly takes: 'nothing' | 'json' | 'bytes';
  /** Validates a body (undefined: none was sent) and gives what runs it; throws `bad_input`. */
  readonly prepare: (body: unknown) => (call: Omit<Call<never>, 'body'>) => Promise<Answer>;
}

/** A route without a body. */
export function route(spec: RouteSpec<undefined>): Route {
  return { ...spec, takes: 'nothing', prepare: () => prepared(spec, undefined) };
}

/** A route that takes bytes as they come; it has to bound them. */
export function bytesRoute(spec: RouteSpec<undefined>): Route {
  return { ...spec, takes: 'bytes', prepare: () => prepared(spec, undefined) };
}

/** A route with a JSON body; `optional`: no body counts as `{}`. */
export function bodyRoute<Body>(
  spec: RouteSpec<Body> & { readonly body: z.ZodMiniType<Body>; readonly optional?: boolean },
): Route {
  const prepare = (sent: unknown): ReturnType<Route['prepare']> => {
    if (sent === undefined && spec.optional !== true) throw badInput('This request needs a JSON body.');
    const parsed = spec.body.safeParse(sent ?? {});
    if (!parsed.success) throw badInput(inputError(parsed.error.issues));
    return prepared(spec, parsed.data);
  };
  return { method: spec.method, path: spec.path, scope: spec.scope, takes: 'json', prepare };
}

function prepared<Body>(spec: RouteSpec<Body>, body: Body): ReturnType<Route['prepare']> {
  return (call) => spec.handle({ ...call, body });
}

/** A whole number of the query between `least` and `most`, or undefined when absent. */
export function wholeNumber(
  query: URLSearchParams,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw badInput(`"${name}" has to be a whole number from ${least} to ${most}.`);
}

/** `true` or `false` of the query, or undefined when absent. */
export function yesOrNo(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw badInput(`"${name}" has to be true or false.`);
}
