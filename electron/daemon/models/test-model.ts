import { isObject } from '../../../shared/base/json.ts';
import { maskSecrets } from '../../node/mask-secrets.ts';
import { withoutKey } from '../../node/without-key.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import type { ModelChoice } from '../../../shared/domain/models.ts';
import type { ModelTestAnswer } from '../../../shared/protocol/bridge.ts';
import { askServer, type ServerAnswer } from './ask-server.ts';
import type { Provider } from './providers.ts';

/** Everything a test of one model needs; `key` null: it is asked without one. */
export interface ModelTest {
  readonly choice: ModelChoice;
  readonly provider: Provider;
  readonly key: string | null;
  readonly clock: Clock;
}

const timeoutMs = 10_000;
/** Enough for a word, also where a model thinks first. */
const answerTokens = 256;
const question = 'Answer with one word: ready';

/** Asks the model for one word. Never rejects: what went wrong is in the answer. */
export async function testModel(test: ModelTest): Promise<ModelTestAnswer> {
  const { choice } = test;
  const answer = await ask(test, 'max_tokens');
  // Newer models of the OpenAI wire know the limit under another name only.
  const renamed = choice.wire === 'openai' && answer.kind === 'answer' && answer.status === 400;
  const last =
    renamed && /max_completion_tokens/.test(serverWords(answer.body))
      ? await ask(test, 'max_completion_tokens')
      : answer;
  return verdictOf(last, test);
}

function ask({ choice, provider, key, clock }: ModelTest, limit: string): Promise<ServerAnswer> {
  const messages = [{ role: 'user', content: question }];
  return askServer({
    provider,
    path: choice.wire === 'anthropic' ? '/messages' : '/chat/completions',
    key,
    body: { model: choice.model, messages, [limit]: answerTokens },
    timeoutMs,
    clock,
  });
}

function verdictOf(answer: ServerAnswer, { choice, provider, key }: ModelTest): ModelTestAnswer {
  const { ref } = choice;
  const failed = (code: string, message: string, next: string): ModelTestAnswer => ({
    ref,
    ok: false,
    code,
    message,
    next,
  });
  if (answer.kind === 'unreachable') {
    return failed(
      'unreachable',
      `${provider.name} cannot be reached at ${place(provider)}: ${answer.why}.`,
      reachNext,
    );
  }
  if (answer.kind === 'timed_out') {
    return failed('timed_out', `${ref} gave no answer within ${answer.ms / 1000} s.`, reachNext);
  }
  const { status, body, ms } = answer;
  if (status === 200) {
    const text = replyText(body);
    if (text !== null) return { ref, ok: true, ms, text: oneLine(text, 200) };
    return failed(
      'no_model',
      `What answers at ${place(provider)} is no model server.`,
      addressNext(provider),
    );
  }
  const words = oneLine(maskSecrets(withoutKey(serverWords(body), key, '***')), 300);
  const told = words === '' ? '.' : `: ${/[.!?]$/.test(words) ? words : `${words}.`}`;
  if (status === 401 || status === 403) {
    return failed('key_refused', `${provider.name} refused the key (${status})${told}`, keyNext(provider));
  }
  if (status === 404) {
    return failed(
      'unknown_model',
      `${provider.name} does not know ${choice.model} (404)${told}`,
      'See: kairos models',
    );
  }
  return failed('refused', `${provider.name} answered ${status}${told}`, 'See: kairos models');
}

const reachNext = 'See whether the network is up and its server runs, then try again.';
const addressNext = ({ name }: Provider): string =>
  `Correct the address (models.providers.${name}.baseUrl in settings.json or its variable), then: kairos daemon restart`;

function keyNext({ name, key }: Provider): string {
  if (key.from === 'environment') return `Set a valid ${key.name}, then: kairos daemon restart`;
  return `Name a key for it: models.providers.${name}.keyEnv or keyCommand in settings.json, then: kairos daemon restart`;
}

/** Without user name and password. */
function place({ baseUrl }: Provider): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`;
}

function serverWords(body: unknown): string {
  if (!isObject(body)) return '';
  const { error, message, detail } = body;
  if (isObject(error) && typeof error.message === 'string') return error.message;
  return [error, message, detail].find((text) => typeof text === 'string') ?? '';
}

function replyText(body: unknown): string | null {
  if (!isObject(body)) return null;
  if (Array.isArray(body.content)) {
    const texts = body.content.map((part: unknown) =>
      isObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : '',
    );
    return texts.join('');
  }
  const [first] = Array.isArray(body.choices) ? (body.choices as readonly unknown[]) : [];
  if (!isObject(first) || !isObject(first.message)) return null;
  const { content } = first.message;
  return typeof content === 'string' ? content : '';
}
