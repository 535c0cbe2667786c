import { assertNever } from '../../../../shared/base/assert-never.ts';
import { oneLine } from '../../../../shared/base/visible-text.ts';
import { ModelError } from '../../agent/ports.ts';
import { type ModelFailure, remedyFor } from './model-failure.ts';

/** Codes of a request that nobody could answer; the loop compacts at `context_too_long`, else parks. */
export type ModelErrorCode =
  | 'context_too_long'
  | 'credential_refused'
  | 'model_address'
  | 'model_unreachable'
  | 'model_refused_request'
  | 'model_failed';

/** Characters of the server's own words that are shown. */
const longestWords = 300;

/** The failure for people: what happened to the request to model `ref` (with a `note` about it), and what to do next. */
export function failureError(
  failure: ModelFailure,
  ref: string,
  { note = '', unspent }: { readonly note?: string; readonly unspent: boolean } = { unspent: false },
): ModelError {
  const code = codeOf(failure);
  const next = nextSteps[code];
  const what = [whatHappened(failure, ref), note].filter((text) => text !== '').join(' ');
  return new ModelError(code, `${what} ${next}`, { next, unspent });
}

function codeOf(failure: ModelFailure): ModelErrorCode {
  switch (remedyFor(failure)) {
    case 'shorten':
      return 'context_too_long';
    case 'credential':
      return 'credential_refused';
    case 'again':
      return failure.kind === 'connection' || failure.kind === 'time_out'
        ? 'model_unreachable'
        : 'model_failed';
    case 'none':
      if (failure.kind === 'address') return 'model_address';
      return failure.kind === 'http' || failure.kind === 'page' ? 'model_refused_request' : 'model_failed';
  }
}

const nextSteps: Readonly<Record<ModelErrorCode, string>> = {
  context_too_long: 'Compact the session, or give it a model that reads more.',
  credential_refused:
    'Give a valid key (kairos models says where it comes from), then take the session up again (kairos retry).',
  model_address:
    'Correct it (models.providers in settings.json, or the variable it comes from), restart with `kairos daemon restart`, then take the session up again (kairos retry).',
  model_unreachable:
    'Look whether its server runs and the network is up, then take the session up again (kairos retry).',
  model_refused_request:
    'Check the model with `kairos models test`, or give the session another one (kairos models set).',
  model_failed:
    'Take the session up again later (kairos retry), or give it another model (kairos models set).',
};

function whatHappened(failure: ModelFailure, ref: string): string {
  switch (failure.kind) {
    case 'http':
      return `${ref} answered ${failure.status}${words(failure.message)}${waitText(failure.retryAfterMs)}`;
    case 'stream_error':
      return `${ref} broke off its answer${words(failure.message || failure.type)}`;
    case 'address':
      return `The address of ${ref} is one that no request can be sent to${words(failure.message)}`;
    case 'connection':
      return `${ref} cannot be reached${words(failure.message)}`;
    case 'cut':
      return `The connection to ${ref} broke in the middle of its answer, each time.`;
    case 'malformed':
      return `${ref} sent an answer that cannot be read, each time.`;
    case 'page':
      return `What answered at the address of ${ref} is no model (status ${failure.status}, ${failure.contentType}): a proxy, a login page or a wrong address.`;
    case 'time_out':
      return `${ref} ${limitText[failure.limit]} ${Number((failure.ms / 1000).toFixed(1))} s.`;
    case 'unexpected':
      return `The request to ${ref} failed${words(failure.message)}`;
    default:
      return assertNever(failure, 'failure');
  }
}

const limitText = {
  first_byte: 'did not begin to answer within',
  silence: 'fell silent in the middle of its answer for',
  whole: 'did not finish its answer within',
} as const;

function waitText(ms: number | null): string {
  return ms === null || ms < 1000 ? '' : ` It asks to be left alone for ${Math.ceil(ms / 1000)} s.`;
}

function words(message: string): string {
  const text = oneLine(message, longestWords).replace(/[.\s]+$/, '');
  return text === '' ? '.' : `: ${text}.`;
}
