import { errorMessage } from '../../../shared/base/errors.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import { noUsage, type Usage } from '../../../shared/domain/messages.ts';
import { ModelError, type ModelPort, type SessionPort, type SideRequest } from './ports.ts';
import { textTokens } from './tokens.ts';

/** What is to be written, beside the conversation. */
export interface SideWork {
  readonly purpose: 'compaction' | 'memo';
  readonly system: string;
  readonly text: string;
  readonly maxOutputTokens: number;
}

/** The text (perhaps empty), or why there is none. */
export type SideAnswer = { readonly text: string } | { readonly failed: string };

/** One request beside the conversation, reserved before and settled after it. Rejects for faults of the link only. */
export async function sideRequest(
  port: SessionPort,
  model: ModelPort,
  work: SideWork,
  signal: StopSignal,
): Promise<SideAnswer> {
  const { write } = model;
  if (write === null) return { failed: 'This model writes nothing but replies.' };
  const { purpose, system, text, maxOutputTokens } = work;
  const contextTokens = textTokens(system) + textTokens(text);
  const begun = await port.ask('beginSide', { purpose, contextTokens, maxOutputTokens });
  if ('refused' in begun) return { failed: begun.refused };
  const answer = await written(write, { system, text, maxOutputTokens, signal });
  if (signal.aborted) return { failed: 'Stopped.' };
  const usage = 'usage' in answer ? answer.usage : answer.unspent ? noUsage : null;
  await port.ask('endSide', { id: begun.id, usage });
  return 'usage' in answer ? { text: answer.text } : { failed: answer.failed };
}

/** What the model wrote, or why it could not. */
async function written(
  write: NonNullable<ModelPort['write']>,
  request: SideRequest,
): Promise<
  { readonly text: string; readonly usage: Usage } | { readonly failed: string; readonly unspent: boolean }
> {
  try {
    const { text, usage } = await write(request);
    return { text: text.trim(), usage };
  } catch (error) {
    return { failed: errorMessage(error), unspent: error instanceof ModelError && error.unspent };
  }
}
