import type { Clock } from '../../../shared/base/ports.ts';
import type { Reply, Usage } from '../../../shared/domain/messages.ts';
import type { Credential, ModelChoice } from '../../../shared/domain/models.ts';
import type { ModelPort, ModelRequest, SideRequest } from '../agent/ports.ts';
import { AnswerCollector } from './answer/answer-collector.ts';
import { type ModelTimes, modelTimes, type RetryLimits, retryLimits } from './limits.ts';
import { PictureShelf } from './prompt/load-pictures.ts';
import { providerPrompt } from './prompt/provider-prompt.ts';
import { askModels, type Attempted } from './request/ask-models.ts';
import { Credentials, type Refresh } from './request/credentials.ts';
import { oneAttempt } from './request/one-attempt.ts';
import { loadWire, type SendOverWire, type WireRequest } from './wire/load-wire.ts';

/** A model behind HTTP as a lease names it. */
export type RemoteChoice = ModelChoice & { readonly wire: 'anthropic' | 'openai' };

/** What models behind HTTP are made of. */
export interface RemoteParts {
  /** In the order in which they are asked; never empty. */
  readonly choices: readonly RemoteChoice[];
  readonly secrets: Readonly<Record<string, Credential>>;
  readonly refresh: Refresh;
  readonly clock: Clock;
  /** Numbers from 0 to 1 that spread the waits of several sessions. */
  readonly chance: () => number;
  readonly times?: ModelTimes;
  readonly limits?: RetryLimits;
}

interface Answer {
  readonly reply: Reply;
  readonly usage: Usage;
}
type Content = Omit<WireRequest, 'watch' | 'choice' | 'secret' | 'maxOutputTokens'>;
type Request = Pick<ModelRequest, 'step' | 'signal' | 'onDraft'> & {
  readonly most?: number;
  readonly contentFor: (choice: RemoteChoice) => Content | Promise<Content>;
};

/** Equal calls in a row that a model may make. */
const repeatLimit = 5;

/** The port of models behind HTTP. The wire of the first one is loaded at once, so that it is there when the first step is. */
export function createRemoteModel(parts: RemoteParts, first: RemoteChoice): ModelPort {
  const credentials = new Credentials(parts.secrets, parts.refresh);
  const usable = parts.choices.filter((choice) => !credentials.lacks(choice));
  const pictures = new PictureShelf();
  const wires = new Map<string, Promise<SendOverWire>>();
  const wireOf = (choice: RemoteChoice): Promise<SendOverWire> => {
    const known = wires.get(choice.wire) ?? loadWire(choice.wire);
    wires.set(choice.wire, known);
    return known;
  };
  const warm = usable[0];
  // A failed import is told by the request that needs it.
  if (warm !== undefined) wireOf(warm).catch(() => undefined);

  const ask = async ({ step, signal, onDraft, contentFor, most }: Request): Promise<Answer> => {
    const { clock, chance, times = modelTimes, limits = retryLimits } = parts;
    const onVoid = (): void => onDraft({ part: 0, kind: 'text', text: '', restart: true });
    const known = { choices: usable, credentials, clock, chance, limits, signal, onVoid };
    return askModels(known, async (choice, secret): Promise<Attempted<Answer>> => {
      const remote = choice as RemoteChoice;
      const send = await wireOf(remote);
      const content = await contentFor(remote);
      const collector = new AnswerCollector(step, remote, onDraft);
      const maxOutputTokens = Math.min(most ?? remote.maxOutputTokens, remote.maxOutputTokens);
      const request = { ...content, choice: remote, secret, maxOutputTokens };
      const end = await oneAttempt(request, collector, { send, clock, times, signal });
      return { end, streamed: collector.hasDraft };
    });
  };

  return {
    contextNeed: 'all',
    repeatLimit,
    problem: usable.length > 0 ? null : missingKey(first),
    limits: warm ?? first,
    request: ({ frame, messages, picture, step, signal, onDraft }) =>
      ask({
        step,
        signal,
        onDraft,
        contentFor: async (choice) => {
          const shown = choice.images ? await pictures.load(messages, picture) : new Map<string, string>();
          const { mayThink, ...prompt } = providerPrompt(frame, messages, choice, shown);
          return { ...prompt, thinkingTokens: mayThink ? choice.thinkingTokens : 0 };
        },
      }),
    write: async (side) => {
      const { reply, usage } = await ask({ ...sideParts(side), most: side.maxOutputTokens });
      return { text: spoken(reply), usage };
    },
  };
}

function sideParts({ system, text, signal }: SideRequest): Request {
  const content: Content = {
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text }] },
    ],
    tools: [],
    thinkingTokens: 0,
  };
  return { step: 'side', signal, onDraft: () => undefined, contentFor: () => content };
}

function spoken({ parts }: Reply): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

function missingKey({ ref, credential }: RemoteChoice): ModelPort['problem'] {
  const reason = `The model "${ref}" needs the key "${credential ?? ''}", and there is none. See where it comes from with \`kairos models\`, or set the session's model to "offline", then take the session up again.`;
  return { code: 'credential_missing', reason };
}
