/** A fault with a stable code, one sentence for people, and where possible the sentence that says what to do next. */
export class KairosError extends Error {
  readonly code: string;
  readonly next: string | undefined;

  constructor(code: string, message: string, options: { cause?: unknown; next?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KairosError';
    this.code = code;
    this.next = options.next;
  }
}

/** The text of anything that was thrown, without a stack. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : JSON.stringify(error);
}

/** The stable code of anything that was thrown: ours, else Node's (`ENOSPC`), else `internal`. */
export function errorCode(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return 'internal';
}
