import * as z from 'zod/mini';
import type { UnsentMessage } from '../../shared/viewing/unsent-message.ts';

const typedKey = 'kairos.typed.';
const unsentKey = 'kairos.unsent.';
const selectedKey = 'kairos.selected';

const unsentSchema = z.object({
  uuid: z.string(),
  session: z.string(),
  text: z.string(),
  at: z.number(),
});

/** What the person typed, kept in this browser over reloads and restarts. Never a token, never what the daemon said. */
export interface Kept {
  typed(session: string): string;
  keepTyped(session: string, text: string): void;
  /** Messages that were not stored when the page went away, oldest first. */
  unsent(): UnsentMessage[];
  keepUnsent(message: UnsentMessage): void;
  dropUnsent(uuid: string): void;
  selected(): string | null;
  keepSelected(session: string): void;
}

/** Each message has a key of its own, so that two windows never overwrite each other's list. */
export function createKept(storage: Storage): Kept {
  const put = (key: string, value: string): void => {
    try {
      storage.setItem(key, value);
    } catch {
      // A full or forbidden storage costs only what this whole file is for: surviving a reload.
    }
  };
  return {
    typed: (session) => storage.getItem(`${typedKey}${session}`) ?? '',
    keepTyped(session, text) {
      if (text === '') storage.removeItem(`${typedKey}${session}`);
      else put(`${typedKey}${session}`, text);
    },
    unsent: () =>
      keysOf(storage)
        .filter((key) => key.startsWith(unsentKey))
        .flatMap((key) => readUnsent(storage.getItem(key)))
        .sort((left, right) => left.at - right.at),
    keepUnsent({ uuid, session, text, at }) {
      put(`${unsentKey}${uuid}`, JSON.stringify({ uuid, session, text, at }));
    },
    dropUnsent: (uuid) => storage.removeItem(`${unsentKey}${uuid}`),
    selected: () => storage.getItem(selectedKey),
    keepSelected: (session) => put(selectedKey, session),
  };
}

function keysOf(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
}

function readUnsent(text: string | null): UnsentMessage[] {
  try {
    const read = unsentSchema.safeParse(JSON.parse(text ?? 'null'));
    return read.success ? [{ ...read.data, stored: false, fault: null }] : [];
  } catch {
    return [];
  }
}
