import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { Frame, ToolText } from '../../../../shared/domain/frames.ts';
import type { ContextMessage, ImageRef, ReplyPart } from '../../../../shared/domain/messages.ts';
import type { ModelChoice } from '../../../../shared/domain/models.ts';
import type { SdkMessage } from '../wire/sdk-types.ts';
import { cacheMark, markMessages } from './cache-marks.ts';
import { type Turn, type TurnResult, turnsOf } from './turns.ts';
import { noPictureText, picturesText, resultText, wireCall } from './words.ts';

/** Base64 of stored pictures by hash; one that is not here is gone. */
export type Pictures = ReadonlyMap<string, string>;

/** A request's prompt in the SDK's words, for one model. */
export interface ProviderPrompt {
  /** The system text first, then the sides by turns. */
  readonly prompt: readonly SdkMessage[];
  readonly tools: readonly ToolText[];
  /** False: the running tool loop was begun by another model, so that its thinking is missing and none may be asked for. */
  readonly mayThink: boolean;
}

type Content<Role extends Exclude<SdkMessage['role'], 'system'>> = Extract<
  SdkMessage,
  { role: Role }
>['content'][number];

/**
 * Frame and conversation as one model's prompt. Depends on nothing else: the same input gives the same bytes, and a longer
 * conversation begins with the bytes of the shorter one, but for the moving cache marks.
 */
export function providerPrompt(
  frame: Frame,
  messages: readonly ContextMessage[],
  model: ModelChoice,
  pictures: Pictures,
): ProviderPrompt {
  const turns = turnsOf(messages, model);
  const bare = turns.flatMap((turn) => messagesOf(turn, model, pictures));
  const marks = model.wire === 'anthropic';
  const system: SdkMessage = { role: 'system', content: frame.system };
  return {
    prompt: marks ? [{ ...system, providerOptions: cacheMark }, ...markMessages(bare)] : [system, ...bare],
    tools: frame.tools,
    mayThink: !loopIsForeign(turns),
  };
}

function messagesOf(turn: Turn, model: ModelChoice, pictures: Pictures): SdkMessage[] {
  if (turn.side === 'model') return [{ role: 'assistant', content: turn.parts.map(assistantPart) }];
  const results = turn.results.map((result) => resultPart(result, model, pictures));
  const shown = model.wire === 'openai' && model.images ? pictureParts(turn.results, pictures) : [];
  const texts = turn.texts.map((text) => ({ type: 'text' as const, text }));
  const content = [...shown, ...texts];
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ...(content.length > 0 ? [{ role: 'user' as const, content }] : []),
  ];
}

function assistantPart(part: ReplyPart): Content<'assistant'> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'thinking':
      return { type: 'reasoning', text: part.text, providerOptions: signed(part.signature ?? '') };
    case 'call': {
      const { name, input } = wireCall(part);
      return { type: 'tool-call', toolCallId: part.id, toolName: name, input };
    }
    default:
      return assertNever(part, 'part');
  }
}

const redacted = 'redacted:';

/** How thinking that its provider hid is kept in place of a signature. */
export function redactedSignature(data: string): string {
  return redacted + data;
}

function signed(signature: string): { readonly anthropic: Record<string, string> } {
  if (!signature.startsWith(redacted)) return { anthropic: { signature } };
  return { anthropic: { redactedData: signature.slice(redacted.length) } };
}

function resultPart(
  { call, tool, result }: TurnResult,
  model: ModelChoice,
  pictures: Pictures,
): Content<'tool'> {
  const images = result.images ?? [];
  const known = images.filter(({ hash }) => pictures.has(hash));
  const gone = images.length - known.length;
  const notes = [
    ...(!model.images && images.length > 0 ? [noPictureText(images.length, 'model')] : []),
    ...(model.images && gone > 0 ? [noPictureText(gone, 'gone')] : []),
  ];
  const text = [resultText(result), ...notes].join('\n');
  const part = { type: 'tool-result' as const, toolCallId: call, toolName: tool };
  if (model.wire === 'anthropic' && model.images && known.length > 0) {
    const files = known.map((image) => filePart(image, pictures));
    return { ...part, output: { type: 'content', value: [{ type: 'text', text }, ...files] } };
  }
  const type = result.outcome === 'ok' ? 'text' : 'error-text';
  return { ...part, output: { type, value: text } };
}

/** Only a person's message may carry pictures on this wire, so they follow the results. */
function pictureParts(results: readonly TurnResult[], pictures: Pictures): Content<'user'>[] {
  return results.flatMap(({ tool, result }) => {
    const known = (result.images ?? []).filter(({ hash }) => pictures.has(hash));
    if (known.length === 0) return [];
    return [
      { type: 'text' as const, text: picturesText(tool) },
      ...known.map((image) => filePart(image, pictures)),
    ];
  });
}

function filePart({ hash, mediaType }: ImageRef, pictures: Pictures) {
  const data = { type: 'data' as const, data: pictures.get(hash) ?? '' };
  return { type: 'file' as const, mediaType, data };
}

/** A provider that thinks wants its own thinking at the head of a running tool loop. */
function loopIsForeign(turns: readonly Turn[]): boolean {
  const begin = turns.findLastIndex((turn) => turn.side === 'person' && turn.results.length === 0);
  return turns.slice(begin + 1).some((turn) => turn.side === 'model' && turn.foreign);
}
