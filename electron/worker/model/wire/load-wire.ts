import type { JSONSchema7, ModelMessage, StreamTextResult, SystemModelMessage, ToolSet } from 'ai';
import type { ToolText } from '../../../../shared/domain/frames.ts';
import type { ModelChoice, ModelWire } from '../../../../shared/domain/models.ts';
import { cacheMark } from '../prompt/cache-marks.ts';
import type { Watch } from './watched-fetch.ts';

/** One request, ready to be sent. */
export interface WireRequest {
  readonly choice: ModelChoice;
  readonly secret: string | null;
  readonly watch: Watch;
  readonly instructions: SystemModelMessage;
  readonly tools: readonly ToolText[];
  readonly messages: readonly ModelMessage[];
  readonly maxOutputTokens: number;
  readonly thinkingTokens: number;
}

/** Sends requests over one wire. */
export type SendOverWire = (request: WireRequest) => StreamTextResult<ToolSet, never, never>['fullStream'];

/** Shortest thinking that Anthropic's wire takes. */
const leastThinking = 1024;

/** Loads the SDK and the one provider a wire needs; nothing is loaded before, and nothing of another provider. */
export async function loadWire(wire: Exclude<ModelWire, 'offline'>): Promise<SendOverWire> {
  const [{ sdk }, kit] = await Promise.all([
    import('./sdk.ts'),
    wire === 'anthropic'
      ? import('./anthropic.ts').then(({ anthropicKit }) => anthropicKit)
      : import('./openai.ts').then(({ openAiKit }) => openAiKit),
  ]);
  // The SDK would write its remarks to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const toolSet = (tools: readonly ToolText[]): ToolSet =>
    Object.fromEntries(
      tools.map(({ name, description, schema }, index) => {
        const isLast = wire === 'anthropic' && index === tools.length - 1;
        const inputSchema = sdk.jsonSchema(bareSchema(schema));
        return [name, { description, inputSchema, ...(isLast ? { providerOptions: cacheMark } : {}) }];
      }),
    );
  return (request) => {
    const { choice, watch, maxOutputTokens } = request;
    const thinking = thinkingBudget(request.thinkingTokens, maxOutputTokens);
    return sdk.streamText({
      model: kit.model(choice, request.secret, watch.fetch),
      instructions: request.instructions,
      messages: [...request.messages],
      ...(request.tools.length > 0 ? { tools: toolSet(request.tools) } : {}),
      maxOutputTokens: kit.thinkingIsExtra ? maxOutputTokens - thinking : maxOutputTokens,
      maxRetries: 0,
      abortSignal: watch.signal,
      providerOptions: kit.options(thinking),
      // Errors come as parts of the stream; without this the SDK prints them, with the whole request in them.
      onError: () => undefined,
    }).fullStream as ReturnType<SendOverWire>;
  };
}

/** Some room stays for the answer itself. */
function thinkingBudget(wanted: number, maxOutputTokens: number): number {
  const most = maxOutputTokens - leastThinking;
  return wanted <= 0 || most < leastThinking ? 0 : Math.max(leastThinking, Math.min(wanted, most));
}

/** A schema without what no provider reads. */
function bareSchema(schema: unknown): JSONSchema7 {
  const { $schema: _dialect, ...rest } = schema as JSONSchema7;
  return { type: 'object', ...rest };
}
