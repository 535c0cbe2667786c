import type { ContextMessage } from '../../../../shared/domain/messages.ts';
import type { Pictures } from './provider-prompt.ts';

/** Bytes of pictures that are kept between the requests of a session. */
const mostKept = 16 * 1024 * 1024;

/** Reads the pictures of conversations, each once as long as they fit into memory. */
export class PictureShelf {
  #kept = new Map<string, string>();

  /** The pictures that these messages name; those that are gone are left out. */
  async load(
    messages: readonly ContextMessage[],
    read: (hash: string) => Promise<Uint8Array | null>,
  ): Promise<Pictures> {
    const wanted = new Map<string, string>();
    for (const message of messages) {
      if (message.role !== 'result') continue;
      for (const { hash } of message.result.images ?? []) {
        const text = this.#kept.get(hash) ?? wanted.get(hash) ?? (await base64Of(hash, read));
        if (text !== null) wanted.set(hash, text);
      }
    }
    const size = [...wanted.values()].reduce((sum, text) => sum + text.length, 0);
    this.#kept = size <= mostKept ? wanted : new Map();
    return wanted;
  }
}

async function base64Of(
  hash: string,
  read: (hash: string) => Promise<Uint8Array | null>,
): Promise<string | null> {
  const bytes = await read(hash);
  return bytes === null
    ? null
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
