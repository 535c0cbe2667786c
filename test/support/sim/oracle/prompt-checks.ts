import { canonicalJson } from '../../../../shared/base/json.ts';
import type { VerdictAnswer } from '../../../../shared/protocol/bridge.ts';
import type { Given } from '../ledgers.ts';
import type { EventOf, Facts, Violation } from './facts.ts';

/** One verdict per prompt, by somebody who may, on what was shown; codes are unique while they are open. */
export function checkPrompts(facts: Facts): Violation[] {
  return [
    ...checkCodes(facts),
    ...facts.of('prompt.opened').flatMap((event) => checkPrompt(facts, event)),
    ...facts.ledgers.given.flatMap((given) => checkGiven(facts, given)),
    ...[...facts.ledgers.shown].flatMap(([prompt, { told }]) =>
      facts.ledgers.diskWasFull || new Set(told).size === told.length
        ? []
        : [`prompt ${prompt}: a surface was told of its end twice by one daemon`],
    ),
  ];
}

function checkCodes(facts: Facts): Violation[] {
  const open = new Map<string, string>();
  const found: Violation[] = [];
  for (const event of facts.all) {
    if (event.type === 'prompt.opened') {
      if ([...open.values()].includes(event.body.code)) found.push(`code ${event.body.code} is open twice`);
      open.set(event.body.prompt, event.body.code);
    }
    if (
      event.type === 'prompt.decided' ||
      event.type === 'prompt.expired' ||
      event.type === 'prompt.withdrawn'
    )
      open.delete(event.body.prompt);
  }
  return found;
}

function checkPrompt(facts: Facts, opened: EventOf<'prompt.opened'>): Violation[] {
  const { prompt } = opened.body;
  const ends = facts.all.filter(
    (event) =>
      (event.type === 'prompt.decided' ||
        event.type === 'prompt.expired' ||
        event.type === 'prompt.withdrawn') &&
      event.body.prompt === prompt,
  );
  if (ends.length !== 1) return [`prompt ${prompt} ended ${ends.length} times`];
  const decided = ends.find((event) => event.type === 'prompt.decided');
  const accepted = facts.ledgers.given.filter(
    (given) => given.prompt === prompt && outcomeOf(given) === 'accepted',
  );
  if (accepted.length > 1) return [`prompt ${prompt} accepted ${accepted.length} verdicts`];
  if (accepted[0] && !decided) return [`prompt ${prompt} accepted a verdict and forgot it`];
  if (!decided) return [];
  const fits = (given: Given): boolean =>
    given.prompt === prompt &&
    given.by.surface === decided.body.by.surface &&
    sameVerdict(given, decided.body.verdict);
  const giver =
    accepted[0] ??
    facts.ledgers.given.find((given) => fits(given) && (given.answer === null || given.answer === 'failed'));
  return giver && fits(giver) ? [] : [`prompt ${prompt} was decided by a verdict that nobody gave`];
}

function sameVerdict(given: Given, verdict: EventOf<'prompt.decided'>['body']['verdict']): boolean {
  if (verdict.behavior === 'answer') return given.verdict.behavior === 'answer';
  return canonicalJson(given.verdict) === canonicalJson(verdict);
}

function outcomeOf(given: Given): VerdictAnswer['outcome'] | null {
  return given.answer === null || given.answer === 'failed' ? null : given.answer.outcome;
}

function checkGiven(facts: Facts, given: Given): Violation[] {
  const outcome = outcomeOf(given);
  const prompt = facts.prompts.get(given.prompt);
  if (given.code !== prompt?.code)
    return outcome === null || outcome === 'unknown' || outcome === 'not_allowed'
      ? []
      : [`a wrong code was ${outcome}`];
  if (outcome === 'unknown') return [`prompt ${given.prompt} exists, but its verdict was called unknown`];
  if (outcome !== 'accepted') return [];
  const question = prompt.kind === 'question';
  const found: Violation[] = [];
  const { verdict } = given;
  if (question === (verdict.behavior === 'allow') && verdict.behavior !== 'deny')
    found.push(`prompt ${prompt.id} took a verdict of the wrong kind`);
  if (verdict.behavior !== 'allow') return found;
  if (given.by.surface === 'phone' && prompt.preview.length > 200)
    found.push(`prompt ${prompt.id} was allowed where it was not shown whole`);
  if (given.by.surface === 'phone' && !facts.ledgers.shown.has(prompt.id))
    found.push(`prompt ${prompt.id} was allowed on a surface that never showed it`);
  if (verdict.scope !== 'once' && (!given.owner || given.by.surface === 'phone'))
    found.push(`prompt ${prompt.id} was allowed for longer by somebody who may not`);
  if (
    verdict.scope !== 'once' &&
    facts.ledgers.revoked.size === 0 &&
    !facts.rules.some(
      (rule) => rule.subject === prompt.ruleSubject?.subject && rule.tool === prompt.ruleSubject?.tool,
    )
  ) {
    found.push(`prompt ${prompt.id} was allowed ${verdict.scope}, but there is no rule`);
  }
  return found;
}
