import type { AnthropicProvider } from '@ai-sdk/anthropic';

/** A model object of the SDK, whichever provider made it. */
export type SdkModel = ReturnType<AnthropicProvider['languageModel']>;
/** One request to it. */
export type SdkCall = Parameters<SdkModel['doStream']>[0];
/** A message of a prompt. */
export type SdkMessage = SdkCall['prompt'][number];
type SdkStream = Awaited<ReturnType<SdkModel['doStream']>>['stream'];
/** A piece of a streamed answer. */
export type SdkPiece = SdkStream extends ReadableStream<infer Piece> ? Piece : never;
