import { KairosError } from '../../../../shared/base/errors.ts';

/** What was named does not exist (any more). */
export function notFound(what: string, id: string): KairosError {
  return new KairosError('not_found', `There is no ${what} "${id}".`);
}

/** The step, call or effect moved on: the caller drops its work. */
export function stale(sentence: string): KairosError {
  return new KairosError('stale', sentence);
}

/** The caller gave something that cannot be stored. */
export function badInput(sentence: string): KairosError {
  return new KairosError('bad_input', sentence);
}
