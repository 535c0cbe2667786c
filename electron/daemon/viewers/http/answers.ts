import type { Readable } from 'node:stream';
import { KairosError } from '../../../../shared/base/errors.ts';
import type { ErrorBody } from '../../../../shared/protocol/bridge.ts';
import type { Refusal } from '../checks/request-checks.ts';

/** What a route answers. `json` is text that was made already. */
export type Answer =
  | { readonly kind: 'value'; readonly status: 200 | 201; readonly value: unknown }
  | { readonly kind: 'json'; readonly json: string }
  /** `file`: to be saved, never shown by the browser. */
  | { readonly kind: 'stream'; readonly type: string; readonly stream: Readable; readonly file?: true };

/** A JSON answer with status 200. */
export function ok(value: unknown): Answer {
  return { kind: 'value', status: 200, value };
}

/** The answer to something that was made. */
export function created(value: unknown): Answer {
  return { kind: 'value', status: 201, value };
}

/** A rejection of what was asked; never holds more of the request than names of fields. */
export function badInput(message: string, next = 'Correct the request and send it again.'): KairosError {
  return new KairosError('bad_input', message, { next });
}

/** The asker may not do this. */
export function notAllowed(message: string, next: string): KairosError {
  return new KairosError('not_allowed', message, { next });
}

/** What was named does not exist. */
export function notFound(message: string, next: string): KairosError {
  return new KairosError('not_found', message, { next });
}

const statusByCode: Readonly<Record<string, number>> = {
  bad_input: 400,
  bad_dir: 400,
  brief_fixed: 409,
  tasks_running: 409,
  not_allowed: 403,
  not_found: 404,
  name_taken: 409,
  uuid_taken: 409,
  settings_broken: 409,
  stale: 409,
  expired: 410,
  too_large: 413,
  safe_mode: 503,
  busy: 503,
  closed: 503,
  stopping: 503,
  disk_full: 507,
};

/** The wire form of anything that was thrown; `fault` says that it is ours and belongs in the log. */
export function errorAnswer(error: unknown): { status: number; body: ErrorBody; fault: boolean } {
  if (!(error instanceof KairosError)) {
    const message = 'The daemon failed at this request; nothing was acknowledged.';
    return {
      status: 500,
      body: bodyOf('internal', message, 'Try again, then see `kairos logs`.'),
      fault: true,
    };
  }
  const status = statusByCode[error.code] ?? 500;
  const next =
    error.next ?? (status >= 500 ? 'See `kairos logs`.' : 'Correct the request and send it again.');
  return { status, body: bodyOf(error.code, error.message, next), fault: status === 500 };
}

/** The wire form of a refusal. */
export function refusalBody({ code, message, next }: Refusal): ErrorBody {
  return bodyOf(code, message, next);
}

function bodyOf(code: string, message: string, next: string): ErrorBody {
  return { error: { code, message, next } };
}
