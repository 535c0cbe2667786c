import type { SeenRequest } from '../../support/models/seen.ts';
import { stableBody } from '../../support/models/stable-body.ts';
import type { ExportedEvent } from '../../support/real/kairos.ts';
import type { Evidence } from './evidence.ts';
import type { Stage } from './stage.ts';

/** Raises of the day's limit in US dollars: asked for, and acknowledged. `from`: the limit of the settings. */
export interface Raises {
  readonly by: number;
  readonly from: number;
  asked: number;
  acknowledged: number;
}

/** What was acknowledged holds, and nothing was raised that nobody asked for. */
export async function checkRaises(
  { client }: Stage,
  { by, from, asked, acknowledged }: Raises,
): Promise<string[]> {
  const { limits } = await client.insist<{ limits: { dayMicroUsd: number } }>('GET', '/usage');
  const raised = Math.round((limits.dayMicroUsd / 1e6 - from) / by);
  const holds = raised >= acknowledged && raised <= asked;
  return holds
    ? []
    : [`the limit was raised ${raised} times, asked for ${asked} times, acknowledged ${acknowledged} times`];
}

interface Sum {
  readonly key: string;
  readonly requests: number;
  readonly microUsd: number;
  readonly reservedMicroUsd: number;
}

/**
 * Requests are one another's beginnings, or begin with a compaction that was stored before: never with one that is not in the
 * log, never again with an older one.
 */
export function checkContexts({ logs }: Evidence, requests: readonly SeenRequest[]): string[] {
  const texts = [...logs.values()].flat().filter(({ type }) => type === 'context.compacted');
  const stored = texts.map(({ body }) => JSON.stringify(body.text).slice(1, -1));
  const own = requests.filter(({ ask }) => ask?.system.includes('You are Kairos') === true);
  const bodies = own.map((request) => ({ number: request.number, messages: stableBody(request).messages }));
  const places = bodies.map(({ messages }) => stored.findLastIndex((text) => messages[0]?.includes(text)));
  return bodies.slice(1).flatMap(({ number, messages }, index) => {
    const earlier = bodies[index]?.messages ?? [];
    const [before = -1, now = -1] = [places[index], places[index + 1]];
    if (now < before) return [`request ${number} goes back behind compaction ${before}`];
    if (now > before || continues(earlier, messages)) return [];
    return [`request ${number} is no continuation of the one before it, and no stored compaction begins it`];
  });
}

/** Every message stays as it was; the last one may have got more parts. */
function continues(earlier: readonly string[], messages: readonly string[]): boolean {
  return earlier.every((message, at) => {
    const now = messages[at];
    if (now === message) return true;
    return at === earlier.length - 1 && now?.startsWith(message.replace(/\]?\}$/, '')) === true;
  });
}

/** What was spent is known: each answered request counts, with what it cost or with all that was reserved for it, and none twice. */
export async function checkMoney(
  { client }: Stage,
  { logs }: Evidence,
  requests: readonly SeenRequest[],
): Promise<string[]> {
  const { groups, limits, spent } = await client.insist<{
    groups: readonly Sum[];
    limits: { dayMicroUsd: number };
    spent: { dayMicroUsd: number };
  }>('GET', '/usage?by=purpose&days=2');
  const outcomes = await Promise.all(requests.map(({ outcome }) => outcome));
  const answered = outcomes.filter((outcome) => outcome === 'answered').length;
  const counted = groups.reduce((sum, { requests: count }) => sum + count, 0);
  const replied = [...logs.values()].flat().reduce((sum, event) => sum + costOfReply(event), 0);
  const known = groups.reduce((sum, { microUsd }) => sum + microUsd, 0);
  const reserved = groups.reduce((sum, { reservedMicroUsd }) => sum + reservedMicroUsd, 0);
  const steps = groups.find(({ key }) => key === 'step')?.microUsd ?? 0;
  const problems: string[] = [];
  if (counted < answered) problems.push(`${answered} requests were answered, usage knows of ${counted}`);
  if (steps < replied) problems.push(`the replies cost ${replied}, usage knows of ${steps}`);
  if (spent.dayMicroUsd !== known + reserved)
    problems.push(`the day counts ${spent.dayMicroUsd}, its requests ${known} and ${reserved} reserved`);
  if (spent.dayMicroUsd > limits.dayMicroUsd)
    problems.push(`${spent.dayMicroUsd} were spent of ${limits.dayMicroUsd}`);
  return problems;
}

function costOfReply({ type, body }: ExportedEvent): number {
  return type === 'step.replied' ? Math.ceil(body.usage.microUsd) : 0;
}
