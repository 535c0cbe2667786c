import { isObject } from '../../../../shared/base/json.ts';
import type { Reply, ReplyPart, Usage } from '../../../../shared/domain/messages.ts';
import type { ModelChoice } from '../../../../shared/domain/models.ts';
import type { ModelRequest } from '../../agent/ports.ts';
import { replyTokens } from '../../agent/tokens.ts';
import type { Told } from '../wire/mend-usage.ts';
import type { SdkPiece } from '../wire/sdk-types.ts';
import { redactedSignature } from '../prompt/provider-prompt.ts';
import { callId, callPart } from './call-part.ts';
import { SpokenText } from './spoken-text.ts';
import { usageOf } from './usage-of.ts';

type Metadata = Extract<SdkPiece, { type: 'reasoning-end' }>['providerMetadata'];
type Finish = Extract<SdkPiece, { type: 'finish' }>;

interface Open {
  readonly kind: 'text' | 'thinking' | 'call';
  text: string;
  signature: string | undefined;
  /** Of a call. */
  readonly tool: string;
  input: unknown;
  readonly spoken: SpokenText | null;
}

/** Puts the pieces of one answer together and shows them as drafts on the way. */
export class AnswerCollector {
  readonly #step: string;
  readonly #choice: ModelChoice;
  readonly #inputTokens: number;
  readonly #onDraft: ModelRequest['onDraft'];
  readonly #parts: Open[] = [];
  /** The part that a stream's own id means now; ids may come again. */
  readonly #byId = new Map<string, number>();
  #finish: Finish | null = null;

  /** `inputTokens`: about how many the request has, where the server does not tell. */
  constructor(step: string, choice: ModelChoice, inputTokens: number, onDraft: ModelRequest['onDraft']) {
    this.#step = step;
    this.#inputTokens = inputTokens;
    this.#choice = choice;
    this.#onDraft = onDraft;
  }

  /** A viewer has something to look at. */
  get hasDraft(): boolean {
    return this.#parts.length > 0;
  }

  add(piece: SdkPiece): void {
    switch (piece.type) {
      case 'text-start':
        this.#begin(`text ${piece.id}`, 'text');
        break;
      case 'text-delta':
        this.#write(`text ${piece.id}`, 'text', piece.delta);
        break;
      case 'reasoning-start':
        this.#sign(this.#begin(`thinking ${piece.id}`, 'thinking'), piece.providerMetadata);
        break;
      case 'reasoning-delta':
        this.#sign(this.#write(`thinking ${piece.id}`, 'thinking', piece.delta), piece.providerMetadata);
        break;
      case 'reasoning-end':
        this.#sign(this.#byId.get(`thinking ${piece.id}`), piece.providerMetadata);
        break;
      case 'tool-input-start':
        this.#begin(`call ${piece.id}`, 'call', piece.toolName.toWellFormed());
        break;
      case 'tool-input-delta':
        this.#write(`call ${piece.id}`, 'call', piece.delta);
        break;
      case 'tool-call':
        this.#endCall(`call ${piece.toolCallId}`, piece.toolName.toWellFormed(), inputOf(piece.input));
        break;
      case 'finish':
        this.#finish = piece;
        break;
      default:
        // Sources, files and the SDK's own marks are no part of a reply.
        break;
    }
  }

  /** The whole answer; null when the stream ended without saying so. */
  answer(told: Readonly<Told>): { readonly reply: Reply; readonly usage: Usage } | null {
    if (this.#finish === null) return null;
    const reason = this.#finish.finishReason.unified;
    if (reason === 'error' || reason === 'interrupted') return null;
    const all = this.#replyParts();
    const refused = reason === 'content-filter';
    const parts = refused ? all.filter((part) => part.type !== 'call') : all;
    const hasCalls = parts.some((part) => part.type === 'call');
    const stop = refused ? 'refused' : hasCalls ? 'calls' : reason === 'length' ? 'length' : 'end';
    const estimate = { inputTokens: this.#inputTokens, outputTokens: replyTokens({ parts: all }) };
    const usage = usageOf(this.#finish.usage, this.#choice, told, estimate);
    return { reply: { model: this.#choice.ref, parts, stop }, usage };
  }

  #begin(key: string, kind: Open['kind'], tool = ''): number {
    const spoken = kind === 'call' && tool === 'SendUserMessage' ? new SpokenText() : null;
    const part =
      this.#parts.push({ kind, text: '', signature: undefined, tool, input: undefined, spoken }) - 1;
    this.#byId.set(key, part);
    if (kind === 'call' && spoken === null) this.#onDraft({ part, kind, text: `${tool} ` });
    return part;
  }

  #write(key: string, kind: Open['kind'], text: string): number {
    const at = this.#byId.get(key) ?? this.#begin(key, kind);
    const part = this.#parts[at];
    if (part === undefined || text === '') return at;
    if (kind !== 'call') part.text += text;
    if (part.spoken === null) this.#onDraft({ part: at, kind, text });
    else {
      const heard = part.spoken.add(text);
      if (heard !== '') this.#onDraft({ part: at, kind: 'text', text: heard });
    }
    return at;
  }

  #sign(at: number | undefined, metadata: Metadata): void {
    const part = at === undefined ? undefined : this.#parts[at];
    const { signature, redactedData } = metadata?.['anthropic'] ?? {};
    if (part === undefined) return;
    if (typeof signature === 'string' && signature !== '') part.signature = signature;
    if (typeof redactedData === 'string') part.signature = redactedSignature(redactedData);
  }

  #endCall(key: string, tool: string, input: unknown): void {
    const at = this.#byId.get(key) ?? this.#begin(key, 'call', tool);
    const part = this.#parts[at];
    if (part !== undefined) part.input = input;
    // The same id again is another call: some servers number them badly.
    this.#byId.delete(key);
  }

  #replyParts(): ReplyPart[] {
    let calls = 0;
    return this.#parts.flatMap((part): ReplyPart[] => {
      if (part.kind === 'call') {
        // Begun, but never ended by the provider: nobody can say what it was to do.
        if (part.input === undefined) return [];
        calls += 1;
        return [callPart(callId(this.#step, calls - 1), part.tool, part.input)];
      }
      if (part.kind === 'text')
        return part.text === '' ? [] : [{ type: 'text', text: part.text.toWellFormed() }];
      const { text, signature } = part;
      if (text === '' && signature === undefined) return [];
      const provider = this.#choice.wire;
      return [{ type: 'thinking', text, provider, ...(signature === undefined ? {} : { signature }) }];
    });
  }
}

/** What the JSON says; its raw text when it is none. No text at all means no arguments. */
function inputOf(raw: string): unknown {
  if (raw.trim() === '') return {};
  try {
    // Half a surrogate pair would make providers refuse the conversation from then on.
    return JSON.parse(raw, (_key, value: unknown) => wellFormed(value)) as unknown;
  } catch {
    // The loop answers such a call with where it broke.
    return raw.toWellFormed();
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (!isObject(value) || Object.keys(value).every((key) => key.isWellFormed())) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), member]));
}
