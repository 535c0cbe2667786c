import type { SupervisorState } from '../../../shared/protocol/supervisor-link.ts';
import type { DaemonFile } from '../../../shared/protocol/bridge.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { liveSupervisor, locateDaemon, unreachable } from '../bridge/locate.ts';
import { versionNote } from '../bridge/version-note.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { notice, printJson, printText } from '../output/print.ts';
import { answersHealth } from '../process/await-ready.ts';

const answerWithinMs = 5_000;

function statusFacts(daemon: DaemonFile, supervisor: SupervisorState | undefined) {
  const { pid, url, version, supervisorPid, safe } = daemon;
  return {
    pid,
    url,
    version,
    supervisorPid: supervisorPid ?? supervisor?.pid ?? null,
    state: safe === null ? 'running' : 'safe',
    safe,
    restarts: supervisor?.restarts ?? null,
    tied: supervisor?.tied ?? null,
    lastFailure: supervisor?.lastFailure ?? null,
  };
}

function words(facts: ReturnType<typeof statusFacts>): string {
  const supervisor =
    facts.supervisorPid === null ? 'without a supervisor' : `supervisor ${facts.supervisorPid}`;
  const lines = [
    `Kairos ${facts.version} is running: process ${facts.pid}, ${supervisor}, ${facts.url}`,
    ...(facts.safe === null ? [] : [`Safe mode, no sessions run: ${facts.safe}`]),
    ...(facts.lastFailure === null ? [] : [`Last failure: ${facts.lastFailure.reason}`]),
  ];
  return lines.join('\n');
}

/** `kairos daemon status`: exit 0 when the daemon answers, 3 when none runs, 4 when it does not answer. */
export const run: RunCommand = async (context, args) => {
  const located = await locateDaemon(context.home);
  if (located.kind !== 'running') throw unreachable(located);
  const { daemon } = located;
  if (!(await answersHealth(context, daemon, answerWithinMs))) {
    const message = `Process ${daemon.pid} holds this home but does not answer at ${daemon.url}.`;
    throw new CommandFailure(exit.timedOut, message, 'Restart it with: kairos daemon restart');
  }
  const facts = statusFacts(daemon, await liveSupervisor(context.home));
  const note = versionNote(context.version(), daemon.version);
  if (note !== undefined) await notice(context, note);
  return args.flag('json') ? printJson(context, facts) : printText(context, words(facts));
};
