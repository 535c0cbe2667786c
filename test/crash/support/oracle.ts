import type { ExportedEvent } from '../../support/real/kairos.ts';
import { checkDeliveries } from './oracle-deliveries.ts';
import { checkTasks } from './oracle-tasks.ts';
import { type Evidence, type Findings, commandIds } from './evidence.ts';

/** A call put together from its events. */
interface CallTrace {
  readonly call: string;
  readonly tool: string;
  readonly input: string;
  began: number;
  allowed: boolean;
  readonly outcomes: string[];
}

/** Judges a finished run from outside. Knows what was promised, nothing of how it is kept. */
export function judge(evidence: Evidence): Findings {
  const problems: string[] = [];
  const calls: CallTrace[] = [];
  for (const [session, log] of evidence.logs) {
    const say = (text: string): number => problems.push(`${session}: ${text}`);
    checkGapless(log, say);
    checkTurns(log, say);
    checkPrompts(log, say);
    checkParking(log, evidence.parkingAllowed ?? [], say);
    checkTasks(log, say);
    calls.push(...checkCalls(log, say));
  }
  const { lost, doubled } = checkMessages(evidence, (text) => problems.push(text));
  const repeated = checkLedger(evidence, calls, (text) => problems.push(text));
  const deliveries = checkDeliveries(evidence, (text) => problems.push(text));
  checkVerdicts(evidence, (text) => problems.push(text));
  const unknown = calls.filter(({ outcomes }) => outcomes.includes('unknown')).length;
  return {
    problems,
    messages: evidence.acknowledged.length,
    lost,
    doubled: doubled + repeated + deliveries.doubled,
    unknown: unknown + deliveries.uncertain,
    calls: calls.length,
  };
}

type Say = (text: string) => unknown;

function checkGapless(log: readonly ExportedEvent[], say: Say): void {
  const wrong = log.findIndex(({ seq }, index) => seq !== index + 1);
  if (wrong >= 0) say(`the log has seq ${log[wrong]?.seq} where ${wrong + 1} belongs`);
}

/** Turns follow one another, each ended before the next; steps count up within their turn. */
function checkTurns(log: readonly ExportedEvent[], say: Say): void {
  let open: string | null = null;
  let steps = 0;
  for (const { type, body, seq } of log) {
    if (type === 'turn.began') {
      if (open !== null) say(`turn ${body.turn} began at ${seq} while ${open} was open`);
      open = body.turn;
      steps = 0;
    } else if (type === 'turn.ended') {
      if (open !== body.turn) say(`turn ${body.turn} ended at ${seq}, open is ${open}`);
      open = null;
    } else if (type === 'step.began') {
      if (open !== body.turn) say(`step ${body.step} at ${seq} is of ${body.turn}, open is ${open}`);
      steps += 1;
      if (body.n !== steps) say(`step ${body.step} at ${seq} has number ${body.n} where ${steps} belongs`);
    }
  }
  if (open !== null) say(`turn ${open} never ended`);
}

/** A death or two is no reason to give a session up; only three at one place are. */
function checkParking(log: readonly ExportedEvent[], allowed: readonly string[], say: Say): void {
  for (const { type, body } of log) {
    if (type !== 'session.parked' || allowed.includes(body.code)) continue;
    say(`it was parked (${body.code}): ${body.reason}`);
  }
}

function checkPrompts(log: readonly ExportedEvent[], say: Say): void {
  const states = new Map<string, string[]>();
  for (const { type, body } of log) {
    if (type.startsWith('prompt.')) states.set(body.prompt, [...(states.get(body.prompt) ?? []), type]);
  }
  for (const [prompt, types] of states) {
    if (types[0] !== 'prompt.opened' || types.length > 2)
      say(`prompt ${prompt} went through ${types.join(', ')}`);
    if (types.length === 1) say(`prompt ${prompt} was never answered`);
  }
}

/** Every call that a stored reply asked for has exactly one end. */
function checkCalls(log: readonly ExportedEvent[], say: Say): CallTrace[] {
  const traces = new Map<string, CallTrace>();
  for (const { type, body } of log) {
    if (type === 'step.replied') {
      for (const part of body.reply.parts) {
        if (part.type !== 'call') continue;
        if (traces.has(part.id)) say(`call ${part.id} was asked for twice`);
        const input = JSON.stringify(part.input);
        traces.set(part.id, {
          call: part.id,
          tool: part.tool,
          input,
          began: 0,
          allowed: false,
          outcomes: [],
        });
      }
    }
    const trace = traces.get(body.call);
    if (type === 'call.began' && trace) {
      trace.began += 1;
      if (body.decision.behavior === 'allow') trace.allowed = true;
    }
    if (type === 'call.ended') {
      if (!trace) say(`call ${body.call} ended and was never asked for`);
      trace?.outcomes.push(body.result.outcome);
    }
  }
  for (const { call, outcomes } of traces.values()) {
    if (outcomes.length !== 1) say(`call ${call} has ${outcomes.length} ends (${outcomes.join(', ')})`);
  }
  return [...traces.values()];
}

/** Every acknowledged message was stored once and settled exactly once, and one that claims a reply has one. */
function checkMessages(evidence: Evidence, say: Say): { lost: number; doubled: number } {
  const all = [...evidence.logs.values()].flat();
  const count = (type: string, uuid: string): ExportedEvent[] =>
    all.filter((event) => event.type === type && event.body.message === uuid);
  let lost = 0;
  let doubled = 0;
  for (const { uuid } of evidence.acknowledged) {
    const received = count('message.received', uuid);
    const settled = count('message.settled', uuid);
    if (received.length !== 1) say(`message ${uuid} was stored ${received.length} times`);
    if (settled.length !== 1) say(`message ${uuid} was settled ${settled.length} times`);
    if (received.length === 0 || settled.length === 0) lost += 1;
    if (received.length > 1 || settled.length > 1) doubled += 1;
    const [end] = settled;
    if (end?.body.by === 'reply' && !isAnsweredIn(all, end))
      say(`message ${uuid} is settled by a reply that nobody can see`);
  }
  return { lost, doubled: doubled + sameTextTwice(evidence, say) };
}

function isAnsweredIn(all: readonly ExportedEvent[], end: ExportedEvent): boolean {
  return all.some(
    ({ type, session, body }) =>
      type === 'message.sent' && session === end.session && body.turn === end.body.turn,
  );
}

function sameTextTwice(evidence: Evidence, say: Say): number {
  let doubled = 0;
  for (const [session, log] of evidence.logs) {
    const seen = new Set<string>();
    for (const { type, body } of log) {
      if (type !== 'message.sent' || body.turn === null) continue;
      const key = JSON.stringify([body.turn, body.text, body.routes]);
      if (seen.has(key)) {
        say(`${session}: the same text was sent twice in turn ${body.turn}`);
        doubled += 1;
      }
      seen.add(key);
    }
  }
  return doubled;
}

/** What the proof file says must agree with what the log says of each command. */
function checkLedger(evidence: Evidence, calls: readonly CallTrace[], say: Say): number {
  const lines = new Map<string, number>();
  for (const line of evidence.ledger) lines.set(line, (lines.get(line) ?? 0) + 1);
  const byCommand = new Map<string, CallTrace[]>();
  for (const trace of calls) {
    if (trace.tool !== 'Bash') continue;
    for (const id of commandIds(trace.input)) byCommand.set(id, [...(byCommand.get(id) ?? []), trace]);
  }
  let repeated = 0;
  for (const [id, times] of lines) {
    const traces = byCommand.get(id) ?? [];
    if (times > 1) {
      say(`command ${id} ran ${times} times`);
      repeated += 1;
    }
    if (!traces.some(({ began, allowed }) => began > 0 && allowed))
      say(`command ${id} ran without a stored decision`);
  }
  for (const [id, traces] of byCommand) {
    if (traces.length > 1) say(`command ${id} was asked for ${traces.length} times`);
    const ran = lines.has(id);
    for (const { call, outcomes } of traces) {
      if (outcomes.includes('ok') && !ran) say(`call ${call} (${id}) is reported as done and did not run`);
      if (outcomes.includes('denied') && ran) say(`call ${call} (${id}) was denied and ran`);
    }
  }
  return repeated;
}

/** A verdict that was acknowledged is in the log as it was given. */
function checkVerdicts(evidence: Evidence, say: Say): void {
  const decided = new Map<string, string>();
  for (const { type, body } of [...evidence.logs.values()].flat()) {
    if (type === 'prompt.decided') decided.set(body.code, body.verdict.behavior);
  }
  for (const { code, behavior } of evidence.accepted) {
    if (decided.get(code) !== behavior)
      say(`the verdict ${behavior} on ${code} was acknowledged, the log has ${decided.get(code) ?? 'none'}`);
  }
}
