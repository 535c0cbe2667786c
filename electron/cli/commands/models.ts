import { oneLine } from '../../../shared/base/visible-text.ts';
import { defaultFromWords } from '../../../shared/domain/models.ts';
import {
  defaultModelAnswerSchema,
  type ModelsAnswer,
  modelsAnswerSchema,
  modelTestAnswerSchema,
  type ModelView,
  type ProviderView,
  sessionViewSchema,
} from '../../../shared/protocol/bridge.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { ask, get, post } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { notice, printJson, printText } from '../output/print.ts';
import { sessionFacts } from '../output/session-text.ts';
import { table } from '../output/table.ts';

/** A key program may take 10 s and the model's answer 10 s more. */
const testWaitMs = 30_000;

/** Models of one provider that the list for people shows. */
const mostOfProvider = 30;

const states: Record<ProviderView['state'], string> = {
  ready: 'ready',
  no_list: 'no list',
  no_key: 'no key',
  key_refused: 'key refused',
  unreachable: 'not reachable',
};

/** `$2`, `$4.50`, `$0.075`. */
function dollars(amount: number): string {
  const cents = Number(amount.toFixed(2)) === amount && !Number.isInteger(amount);
  return `$${cents ? amount.toFixed(2) : amount}`;
}

function priceText({ price, ref }: ModelView): string {
  if (ref === 'offline') return 'free';
  return price === null ? 'price unknown' : `${dollars(price.input)} in, ${dollars(price.output)} out`;
}

function marks({ isDefault, failover }: ModelView): string {
  return [isDefault ? 'default' : '', failover === null ? '' : `failover ${failover}`]
    .filter((mark) => mark !== '')
    .join(', ');
}

function contextText(tokens: number): string {
  return tokens >= 1_000_000 ? `${tokens / 1_000_000}M context` : `${Math.round(tokens / 1000)}k context`;
}

/** Some servers have hundreds: the chosen ones and the first of each provider are shown. */
function fewOfEach(models: readonly ModelView[]): { shown: readonly ModelView[]; more: number } {
  const counts = new Map<string | null, number>();
  const shown = models.filter((model) => {
    const count = (counts.get(model.provider) ?? 0) + 1;
    counts.set(model.provider, count);
    return model.isDefault || model.failover !== null || count <= mostOfProvider;
  });
  return { shown, more: models.length - shown.length };
}

function lists(context: CliContext, answer: ModelsAnswer): string {
  const { columns } = context.stdout;
  const chosen = answer.default;
  const head = `New sessions get ${oneLine(chosen.ref, 200)} (${defaultFromWords(oneLine(chosen.from, 100))}).`;
  const problem = chosen.problem === null ? [] : [oneLine(chosen.problem, 500)];
  const providers = answer.providers.map((provider) => [
    { text: oneLine(provider.name, 60) },
    { text: states[provider.state] },
    { text: provider.key === null ? '-' : oneLine(provider.key, 60) },
    { text: oneLine(provider.address, 80) },
    { text: provider.state === 'no_key' ? '' : oneLine(provider.detail, 120) },
  ]);
  const { shown, more } = fewOfEach(answer.models);
  const models = shown.map((model) => [
    { text: oneLine(model.ref, 120) },
    { text: marks(model) },
    { text: contextText(model.contextTokens) },
    { text: priceText(model) },
  ]);
  const rest = more === 0 ? '' : `${more} more: ${context.program} models --json\n`;
  return [head, ...problem, '', table(providers, columns), table(models, columns)].join('\n') + rest;
}

/** `kairos models`: providers with where their keys come from, models with their prices, and the default. */
export const list: RunCommand = async (context, args) => {
  const answer = await get(context, '/models', modelsAnswerSchema);
  return args.flag('json') ? printJson(context, answer) : printText(context, lists(context, answer));
};

/** `kairos models test MODEL`: exit 0 with latency and answer, else 1 with the precise reason. */
export const test: RunCommand = async (context, args) => {
  const body = { model: args.required(0) };
  const until = context.clock.monotonic() + testWaitMs;
  const request = { method: 'POST', path: '/models/test', body, repeatable: false } as const;
  const { value } = await ask(context, request, modelTestAnswerSchema, { until });
  if (args.flag('json')) await printJson(context, value);
  if (value.ok) {
    if (args.flag('json')) return exit.done;
    const text = value.text === '' ? 'an empty answer' : `"${oneLine(value.text, 200)}"`;
    return printText(context, `${foreignLine(value.ref)} answered in ${value.ms} ms: ${text}`);
  }
  throw new CommandFailure(exit.failed, oneLine(value.message, 500), oneLine(value.next, 300));
};

/** `kairos models set MODEL [--session NAME]` */
export const set: RunCommand = async (context, args) => {
  const body = { model: args.required(0) };
  const session = args.text('session');
  if (session !== undefined) {
    const path = `/sessions/${encodeURIComponent(session)}/model`;
    const answer = await post(context, path, body, sessionViewSchema);
    if (args.flag('json')) return printJson(context, sessionFacts(answer));
    return printText(context, `${foreignLine(session)} goes on with ${foreignLine(answer.model)}.`);
  }
  const answer = await post(context, '/models/default', body, defaultModelAnswerSchema);
  if (answer.note !== null) await notice(context, foreignLine(answer.note));
  if (args.flag('json')) return printJson(context, answer);
  return printText(context, `New sessions get ${foreignLine(answer.ref)}; those that exist keep theirs.`);
};
