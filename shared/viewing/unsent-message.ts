import type { Fault } from './fault.ts';

/** A message that the person sent and whose event has not come back yet; its uuid makes sending it again harmless. */
export interface UnsentMessage {
  readonly uuid: string;
  readonly session: string;
  readonly text: string;
  readonly at: number;
  /** The daemon has it: only its event is awaited. */
  readonly stored: boolean;
  /** The daemon refused it; it waits for the person. */
  readonly fault: Fault | null;
}
