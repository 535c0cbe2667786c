import type { Clock } from '../../../../shared/base/ports.ts';
import { errorCode, errorMessage } from '../../../../shared/base/errors.ts';
import type { Frame } from '../../../../shared/domain/frames.ts';
import type { ContextMessage } from '../../../../shared/domain/messages.ts';
import { systemClock } from '../../../../electron/node/clock.ts';
import type { DraftText, ModelPort, ModelRequest } from '../../../../electron/worker/agent/ports.ts';
import { createModel } from '../../../../electron/worker/model/create-model.ts';
import { type ModelTimes, modelTimes, type RetryLimits } from '../../../../electron/worker/model/limits.ts';
import type { RemoteChoice } from '../../../../electron/worker/model/remote-model.ts';
import type { Refresh } from '../../../../electron/worker/model/request/credentials.ts';
import type { ModelServer } from '../../../support/models/server.ts';

/** Retries as in the product, with waits that a test can afford. */
export const quickLimits: RetryLimits = {
  attempts: 4,
  attemptsStreamed: 3,
  totalWaitMs: 2_000,
  totalWaitBeforeNextMs: 500,
  firstWaitMs: 1,
  longestWaitMs: 4,
};

/** The model of a stand-in as a lease names it. */
export function choiceFor(server: ModelServer, more: Partial<RemoteChoice> = {}): RemoteChoice {
  return {
    ref: `${server.wire}/stand-in-large`,
    wire: server.wire,
    model: 'stand-in-large',
    baseUrl: server.baseUrl,
    credential: server.apiKey === undefined ? null : 'key',
    contextTokens: 200_000,
    maxOutputTokens: 8_192,
    images: true,
    thinkingTokens: 0,
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    ...more,
  };
}

/** A frame with one tool and the way to the others. */
export const sampleFrame: Frame = {
  build: 'test',
  model: 'any',
  brief: true,
  system: 'You are Kairos.',
  tools: [
    {
      name: 'Bash',
      description: 'Runs a command.',
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { command: { type: 'string' } },
        required: ['command'],
      },
    },
    { name: 'SendUserMessage', description: 'Tells the person.', schema: { type: 'object', properties: {} } },
    { name: 'UseTool', description: 'Calls another tool.', schema: { type: 'object', properties: {} } },
  ],
  deferred: [],
};

/** One message of a person. */
export const greeting: ContextMessage = { role: 'user', seq: 1, text: 'hello', ref: 'm1', turn: 'trn_1' };

/** What a rig is made with. */
export interface RigOptions {
  readonly choices: readonly RemoteChoice[];
  readonly secret?: string;
  readonly refresh?: Refresh;
  readonly clock?: Clock;
  readonly limits?: RetryLimits;
  readonly times?: ModelTimes;
}

/** A model port on stand-ins, and the drafts it showed. */
export function rig({ choices, secret = 'stand-in-key', refresh, clock, limits, times }: RigOptions) {
  const refused: Refresh = async () => ({ kind: 'refused', reason: 'There is no newer key.' });
  const model = createModel({
    choices,
    secrets: { key: { value: secret, version: 1 } },
    refresh: refresh ?? refused,
    clock: clock ?? systemClock,
    chance: () => 0.5,
    times: times ?? modelTimes,
    limits: limits ?? quickLimits,
  });
  return { model, ...asking(model) };
}

/** Asks a model with what a test leaves open filled in. */
export function asking(model: ModelPort) {
  const drafts: Omit<DraftText, 'step'>[] = [];
  const ask = (more: Partial<ModelRequest> = {}) =>
    model.request({
      step: 'stp_1',
      repeated: false,
      frame: sampleFrame,
      messages: [greeting],
      picture: async () => null,
      signal: new AbortController().signal,
      onDraft: (draft) => drafts.push(draft),
      ...more,
    });
  /** The code and text of the rejection. */
  const failing = async (more: Partial<ModelRequest> = {}) =>
    ask(more).then(
      ({ reply }) => ({ code: 'none', text: JSON.stringify(reply) }),
      (error: unknown) => ({ code: errorCode(error), text: errorMessage(error) }),
    );
  return { drafts, ask, failing };
}

/** What a viewer has on the screen after these drafts. */
export function shown(drafts: readonly Omit<DraftText, 'step'>[]): string[] {
  let parts: string[] = [];
  for (const { part, text, restart } of drafts) {
    if (restart === true) parts = [];
    parts[part] = (parts[part] ?? '') + text;
  }
  return parts;
}
