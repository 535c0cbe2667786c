import { canonicalJson } from '../../../../shared/base/json.ts';
import type { Execution } from '../ledgers.ts';
import type { EventOf, Facts, Violation } from './facts.ts';

/** Nothing runs without a stored decision, nothing with an effect runs twice, nothing that was denied runs at all. */
export function checkCalls(facts: Facts): Violation[] {
  const began = Map.groupBy(facts.of('call.began'), (event) => event.body.call);
  const ended = Map.groupBy(facts.of('call.ended'), (event) => event.body.call);
  const byCall = Map.groupBy(facts.ledgers.executions, (execution) => execution.call);
  const found: Violation[] = [];
  for (const [call, executions] of byCall) {
    const end = ended.get(call)?.[0];
    found.push(...checkExecutions(call, executions, began.get(call) ?? [], end));
    found.push(...checkPermission(facts, call, executions, began.get(call) ?? []));
  }
  for (const [call, [end]] of ended) {
    if (end) found.push(...checkClaim(call, end, byCall.get(call) ?? []));
  }
  return found;
}

type Began = readonly EventOf<'call.began'>[];
type Ended = EventOf<'call.ended'> | undefined;

function checkExecutions(
  call: string,
  executions: readonly Execution[],
  began: Began,
  end: Ended,
): Violation[] {
  const found: Violation[] = [];
  const pure = executions.every((each) => each.facts.class === 'pure');
  const effects = executions.reduce((sum, each) => sum + each.effects, 0);
  if (!pure && executions.length > 1) found.push(`call ${call} was run ${executions.length} times`);
  if (!pure && effects > 1) found.push(`call ${call} took effect ${effects} times`);
  for (const each of executions) {
    const stored = began.filter((event) => event.id <= each.lastEvent);
    if (stored.length === 0) found.push(`call ${call} ran before its decision was stored`);
    const decided = stored.at(-1);
    if (decided && canonicalJson(decided.body.input) !== canonicalJson(each.facts.input))
      found.push(`call ${call} ran with another input`);
  }
  if (executions.length > began.length)
    found.push(`call ${call} ran ${executions.length} times, but was begun ${began.length} times`);
  if (end?.body.result.outcome === 'denied') found.push(`call ${call} was denied and ran`);
  if (!end && effects > 0) found.push(`call ${call} took effect and never ended`);
  return found;
}

/** What the log says of a call must have happened; what it does not know it must not claim. */
function checkClaim(call: string, end: EventOf<'call.ended'>, executions: readonly Execution[]): Violation[] {
  const { tool, result } = end.body;
  const worldly = tool === 'Bash' || tool === 'Write' || tool === 'Edit' || tool === 'Read';
  if (!worldly || result.outcome !== 'ok') return [];
  const effects = executions.reduce((sum, each) => sum + each.effects, 0);
  return effects > 0 ? [] : [`call ${call} counts as done, but did nothing`];
}

/** An asked call runs only by an allow of what was shown; any other needs a rule or a mode. */
function checkPermission(
  facts: Facts,
  call: string,
  executions: readonly Execution[],
  began: Began,
): Violation[] {
  const run = executions[0];
  const last = began.at(-1);
  if (!run || !last) return [];
  const asked = facts
    .of('prompt.opened')
    .filter((event) => event.body.call === call)
    .map((event) => facts.prompts.get(event.body.prompt));
  const prompt = asked.at(-1);
  if (prompt) {
    const said = prompt.verdict?.behavior === 'allow';
    const allowed = said && prompt.digest === last.body.digest;
    // Another mode makes another digest; what it lets run anyway nobody is asked about twice. A deny stays one.
    const mooted = (prompt.state === 'withdrawn' || said) && isOpen(facts, last);
    return allowed || mooted
      ? []
      : [`call ${call} was asked about, not allowed as shown, and ran (${prompt.state})`];
  }
  if (run.facts.subject.includes('kairos')) return [`call ${call} names Kairos and ran unasked`];
  if (run.facts.subject === 'forbidden') return [`call ${call} is forbidden and ran`];
  if (run.facts.access === 'read' || run.facts.subject === 'free') return [];
  return isOpen(facts, last) ? [] : [`call ${call} ran unasked in mode default`];
}

/** True when a mode or a rule of a person allowed such calls at the time. */
function isOpen(facts: Facts, began: EventOf<'call.began'>): boolean {
  const before =
    facts.logs.find((log) => log.row.id === began.session)?.events.filter((event) => event.id <= began.id) ??
    [];
  const mode = before.reduce(
    (last, event) =>
      event.type === 'session.mode_set' || event.type === 'session.created' ? event.body.mode : last,
    'default',
  );
  if (mode === 'bypassPermissions') return true;
  return facts.of('prompt.decided').some((event) => {
    if (event.id > began.id || event.body.verdict.behavior !== 'allow') return false;
    const prompt = facts.prompts.get(event.body.prompt);
    const { scope } = event.body.verdict;
    const applies = scope === 'always' || (scope === 'session' && prompt?.session === began.session);
    return applies && covers(prompt?.ruleSubject ?? null, began);
  });
}

/** What the simulated persons' rules look like: an exact command, the beginning of one (`git log:*`), or a path from the root. */
function covers(
  rule: { readonly tool: string; readonly subject: string | null } | null,
  { body }: EventOf<'call.began'>,
): boolean {
  if (rule === null || rule.subject === null) return false;
  const input = body.input as Record<string, unknown>;
  if (body.tool !== 'Bash') return rule.tool === 'Edit' && rule.subject === `//w/${String(input.file_path)}`;
  if (rule.tool !== 'Bash') return false;
  const command = String(input.command);
  const beginning = rule.subject.endsWith(':*') ? rule.subject.slice(0, -2) : null;
  if (beginning === null) return command === rule.subject.replaceAll('\\*', '*');
  return command === beginning || command.startsWith(`${beginning} `);
}
