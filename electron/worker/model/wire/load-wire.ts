import type { ToolText } from '../../../../shared/domain/frames.ts';
import type { ModelChoice, ModelWire } from '../../../../shared/domain/models.ts';
import type { SearchQuery } from '../../../../shared/domain/web-search.ts';
import { cacheMark } from '../prompt/cache-marks.ts';
import type { SdkCall, SdkMessage, SdkPiece } from './sdk-types.ts';
import type { Watch } from './watched-fetch.ts';
import type { WireKit } from './wire-kit.ts';

/** One request, ready to be sent. */
export interface WireRequest {
  readonly choice: ModelChoice;
  readonly secret: string | null;
  readonly watch: Watch;
  readonly tools: readonly ToolText[];
  /** The system text first. */
  readonly prompt: readonly SdkMessage[];
  readonly maxOutputTokens: number;
  readonly thinkingTokens: number;
  /** Anthropic's own search of the web, in place of tools. */
  readonly search?: Pick<SearchQuery, 'allowedDomains' | 'blockedDomains'>;
}

/** Sends a request over one wire and gives its answer piece by piece. Rejects when there is none. */
export type SendOverWire = (request: WireRequest) => Promise<AsyncIterable<SdkPiece>>;

type SdkTool = NonNullable<SdkCall['tools']>[number];
type Schema = Extract<SdkTool, { type: 'function' }>['inputSchema'];

/** Shortest thinking that Anthropic's wire takes. */
const leastThinking = 1024;

/** Loads the one provider a wire needs; nothing is loaded before, and nothing of another provider. */
export async function loadWire(wire: Exclude<ModelWire, 'offline'>): Promise<SendOverWire> {
  const kit =
    wire === 'anthropic'
      ? (await import('./anthropic.ts')).anthropicKit
      : (await import('./openai.ts')).openAiKit;
  return (request) => send(kit, wire === 'anthropic', request);
}

async function send(kit: WireKit, marks: boolean, request: WireRequest): Promise<AsyncIterable<SdkPiece>> {
  const { choice, secret, watch, prompt, tools, maxOutputTokens } = request;
  const thinking = thinkingBudget(request.thinkingTokens, maxOutputTokens);
  const { stream } = await kit.model(choice, secret, watch.fetch).doStream({
    prompt: [...prompt],
    ...(request.search === undefined ? {} : { tools: [searchTool(request.search)] }),
    ...(tools.length > 0
      ? { tools: tools.map((tool, at) => sdkTool(tool, marks && at + 1 === tools.length)) }
      : {}),
    maxOutputTokens: kit.thinkingIsExtra ? maxOutputTokens - thinking : maxOutputTokens,
    abortSignal: watch.signal,
    providerOptions: kit.options(thinking),
  });
  return stream;
}

function searchTool({ allowedDomains, blockedDomains }: NonNullable<WireRequest['search']>): SdkTool {
  return {
    type: 'provider',
    id: 'anthropic.web_search_20250305',
    name: 'web_search',
    args: {
      maxUses: 1,
      // The provider takes one of the two; the other holds for what comes back.
      ...(allowedDomains.length > 0
        ? { allowedDomains: [...allowedDomains] }
        : blockedDomains.length > 0
          ? { blockedDomains: [...blockedDomains] }
          : {}),
    },
  };
}

function sdkTool({ name, description, schema }: ToolText, isMarked: boolean): SdkTool {
  const tool = { type: 'function' as const, name, description, inputSchema: bareSchema(schema) };
  return isMarked ? { ...tool, providerOptions: cacheMark } : tool;
}

/** Some room stays for the answer itself. */
function thinkingBudget(wanted: number, maxOutputTokens: number): number {
  const most = maxOutputTokens - leastThinking;
  return wanted <= 0 || most < leastThinking ? 0 : Math.max(leastThinking, Math.min(wanted, most));
}

/** A schema without what no provider reads. */
function bareSchema(schema: unknown): Schema {
  const { $schema: _dialect, ...rest } = schema as Schema;
  return { type: 'object', ...rest };
}
