import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportedEvent, Kairos } from '../../support/real/kairos.ts';
import { waitFor } from '../../support/real/wait-for.ts';

/** What `kairos send --json` prints. */
export interface Sent {
  readonly session: string;
  readonly message: string;
  readonly state: 'settled' | 'working' | 'asking' | 'parked';
  readonly replies: readonly { readonly text: string; readonly status: string }[];
  readonly duplicate: boolean;
}

/** Sends and waits until it is settled, in a session where nothing asks. */
export function settle(kairos: Kairos, text: string, ...options: readonly string[]): Promise<Sent> {
  return kairos.json<Sent>([
    'send',
    text,
    '--wait',
    '--timeout',
    '30',
    '--mode',
    'bypassPermissions',
    ...options,
  ]);
}

/** Sends and returns once it is stored. */
export function send(kairos: Kairos, text: string, ...options: readonly string[]): Promise<Sent> {
  return kairos.json<Sent>(['send', text, ...options]);
}

/** Waits for a message that was sent before. */
export function settled(kairos: Kairos, message: string, withinMs = 20_000): Promise<Sent> {
  return waitFor(
    async () => {
      const answer = await kairos.bridge.get<Sent>(`/messages/${message}`);
      return answer.state === 'settled' ? answer : undefined;
    },
    { what: `message ${message} to be settled`, withinMs },
  );
}

/** All texts that were answered to a message. */
export function replyText({ replies }: Sent): string {
  return replies.map(({ text }) => text).join('\n');
}

/** Content of a file in the working directory, null when it is not there. */
export function workFile(kairos: Kairos, name: string): string | null {
  try {
    return readFileSync(join(kairos.work, name), 'utf8');
  } catch {
    return null;
  }
}

/** Waits until a file of the working directory has a line that holds `text`. */
export async function fileHas(kairos: Kairos, name: string, text: string): Promise<void> {
  await waitFor(() => workFile(kairos, name)?.includes(text) === true, { what: `"${text}" in ${name}` });
}

/** The bodies of all events of a type. */
export function bodies(log: readonly ExportedEvent[], type: string): ExportedEvent['body'][] {
  return log.filter((event) => event.type === type).map(({ body }) => body);
}
