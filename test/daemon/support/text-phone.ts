import { chatText } from '../../../electron/daemon/prompts/chat-text.ts';
import type { PromptBroker } from '../../../electron/daemon/prompts/broker.ts';
import type { Showing, Surface, SurfaceTraits } from '../../../electron/daemon/prompts/surface.ts';
import { readReply, type ShownPrompt } from '../../../shared/domain/chat-reply.ts';

/** A chat with one person on a phone: what is asked comes as text of at most 200 characters, and is answered by text. */
export class TextPhone implements Surface {
  readonly id = 'phone';
  readonly traits: SurfaceTraits = {
    kinds: ['approval', 'question'],
    maxShown: 200,
    provesSender: true,
    scopes: ['once'],
  };
  /** What Kairos wrote; the id of a message is its place. */
  readonly ours: string[] = [];
  /** What the person wrote that was no verdict: the session gets it. */
  readonly messages: string[] = [];
  readonly #open = new Map<string, ShownPrompt>();

  offer(showing: Showing): Promise<{ shown: number; externalId: string | null }> {
    const { prompt, text, whole } = showing;
    const externalId = this.write(chatText(showing));
    this.#open.set(prompt.id, { ...prompt, externalId });
    return Promise.resolve({ shown: whole ? prompt.preview.length : text.length, externalId });
  }

  settled(prompt: { id: string }): Promise<void> {
    this.#open.delete(prompt.id);
    return Promise.resolve();
  }

  /** A message of ours; its id. */
  write(text: string): string {
    this.ours.push(text);
    return String(this.ours.length - 1);
  }

  /** The person writes, perhaps as a reply to the message of that id; says what it was taken for. */
  async say(broker: PromptBroker, text: string, repliesTo: string | null = null): Promise<string> {
    const place = { open: [...this.#open.values()], lastOfOurs: String(this.ours.length - 1) };
    const meaning = readReply({ text, repliesTo }, place);
    if (meaning.kind === 'verdict') {
      const { code, verdict, elseMessage } = meaning;
      const by = { surface: this.id, principal: 'ann', at: 1 };
      const answer = await broker.verdict(code, verdict, by, false);
      if (answer.outcome !== 'unknown' || !elseMessage) return `${answer.outcome}: ${answer.message}`;
    }
    this.messages.push(text);
    return 'message';
  }
}
