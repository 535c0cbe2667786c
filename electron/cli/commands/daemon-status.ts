import { oneLine } from '../../../shared/base/visible-text.ts';
import { type DaemonFile, type DaemonStatus, statusSchema } from '../../../shared/protocol/bridge.ts';
import type { SupervisorState } from '../../../shared/protocol/supervisor-link.ts';
import { safeModeWords } from '../../../shared/protocol/safe-mode.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { get } from '../bridge/client.ts';
import { liveSupervisor, locateDaemon, unreachable } from '../bridge/locate.ts';
import { versionNote } from '../bridge/version-note.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { hint, reasonHere } from '../output/own-name.ts';
import { notice, printJson, printText } from '../output/print.ts';
import { relativeTime } from '../output/times.ts';

/** A daemon that has not answered by then counts as silent, ms. */
const answerWithinMs = 5_000;

function statusFacts(daemon: DaemonFile, status: DaemonStatus, supervisor: SupervisorState | undefined) {
  const { pid, url, version, safe } = status;
  return {
    pid,
    url,
    version,
    supervisorPid: status.supervisorPid ?? daemon.supervisorPid ?? supervisor?.pid ?? null,
    state: safe === null ? 'running' : 'safe',
    safe,
    paused: status.paused,
    sessions: status.sessions,
    openPrompts: status.openPrompts,
    problems: status.problems,
    restarts: supervisor?.restarts ?? null,
    tied: supervisor?.tied ?? null,
    lastFailure: supervisor?.lastFailure ?? null,
  };
}

function safeLine(reason: string, program: string): string {
  const { why, next } = safeModeWords(reason);
  return `Safe mode, no sessions run: ${oneLine(why, 400)} ${hint(program, oneLine(next, 400))}`;
}

function words(facts: ReturnType<typeof statusFacts>, now: number, program: string): string {
  const by = facts.supervisorPid === null ? 'without a supervisor' : `supervisor ${facts.supervisorPid}`;
  const { lastFailure } = facts;
  // Safe mode is a problem too; its own line says it all.
  const problems = facts.problems.filter(({ code }) => code !== 'safe_mode');
  const lines = [
    `Kairos ${foreignLine(facts.version)} is running: process ${facts.pid}, ${by}, ${foreignLine(facts.url)}`,
    ...(facts.safe === null ? [] : [safeLine(facts.safe, program)]),
    ...(facts.paused ? [`Everything is paused. End it with: ${program} resume`] : []),
    ...(facts.openPrompts === 0 ? [] : [`${facts.openPrompts} wait for your decision: ${program} approvals`]),
    ...problems.map(
      ({ message, next }) => `Problem: ${oneLine(message, 400)} ${hint(program, oneLine(next, 400))}`,
    ),
    ...(lastFailure === null || lastFailure.reason === facts.safe
      ? []
      : [
          `Last failure, ${relativeTime(lastFailure.at, now)}: ${oneLine(reasonHere(lastFailure.reason, program), 400)}`,
        ]),
  ];
  return lines.join('\n');
}

/** `kairos daemon status`: exit 0 when the daemon answers, 3 when none runs, 4 when it does not answer. */
export const run: RunCommand = async (context, args) => {
  const located = await locateDaemon(context.home);
  if (located.kind !== 'running') throw unreachable(located);
  const limits = { until: context.clock.monotonic() + answerWithinMs };
  const status = await get(context, '/status', statusSchema, limits);
  const facts = statusFacts(located.daemon, status, await liveSupervisor(context.home));
  const note = versionNote(context.version(), status.version);
  if (note !== undefined) await notice(context, hint(context.program, note));
  return args.flag('json')
    ? printJson(context, facts)
    : printText(context, words(facts, context.clock.now(), context.program));
};
