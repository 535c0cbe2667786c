import { assertNever } from '../../../../shared/base/assert-never.ts';
import { modelWaitText } from '../../../../shared/domain/model-wait.ts';
import type { ModelFailure } from './model-failure.ts';

/** What people read while a request waits `ms` to be made again. The server's own words are not in it: they may hold anything. */
export function waitText(failure: ModelFailure, ms: number): string {
  return modelWaitText(whatItDid(failure), ms);
}

function whatItDid(failure: ModelFailure): string {
  switch (failure.kind) {
    case 'http':
      return answered(failure.status);
    case 'page':
      return `gave a page instead of an answer (${failure.status})`;
    case 'connection':
      return 'cannot be reached';
    case 'time_out':
      return failure.limit === 'first_byte' ? 'does not answer' : 'fell silent in its answer';
    case 'stream_error':
    case 'cut':
      return 'broke off its answer';
    case 'malformed':
      return 'sent what cannot be read';
    case 'address':
    case 'unexpected':
      return 'could not be asked';
    default:
      return assertNever(failure, 'failure');
  }
}

function answered(status: number): string {
  if (status === 429) return 'asks for fewer requests (429)';
  return status === 529 || status === 503 ? `is overloaded (${status})` : `failed (${status})`;
}
