import { existsSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { KairosError, errorMessage } from '../../shared/base/errors.ts';
import type { Log } from '../../shared/base/ports.ts';
import { daemonExit } from '../../shared/protocol/supervisor-link.ts';
import { setBoundaryRole } from '../node/boundary.ts';
import { systemClock } from '../node/clock.ts';
import { type Home, openHome } from '../node/home.ts';
import { ownStartTime } from '../node/process-table.ts';
import { releaseMemory } from '../node/release-memory.ts';
import { startDaemon } from './daemon-process.ts';
import { createLineLog } from './line-log.ts';
import { type SupervisorOptions, readOptions } from './options.ts';
import { type StateFile, openStateFile } from './state-file.ts';
import { type SuperviseOutcome, type Supervision, supervise } from './supervise.ts';

/** Straight to descriptor 2: a terminal that is gone must not end the supervisor. */
function tell(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Nobody is there to read it; the log has it too.
  }
}

function defaultEntry(): string {
  const fromSource = import.meta.url.endsWith('.ts');
  return fileURLToPath(new URL(fromSource ? '../daemon/main.ts' : './daemon.js', import.meta.url));
}

function checkEntry(entry: string): void {
  if (existsSync(entry)) return;
  throw new KairosError('daemon-entry-missing', `The daemon's program "${entry}" is missing.`, {
    next: 'Run "npm run build", or install Kairos again.',
  });
}

/** The descriptor whose other end our owner holds; throws before anything is started when it is not one. */
function openTie(descriptor: number): Socket {
  try {
    return new Socket({ fd: descriptor, readable: true, writable: false });
  } catch (cause) {
    throw new KairosError('tie-unusable', `--tied-to=${descriptor} is not an open pipe.`, {
      cause,
      next: 'Give the number of a pipe or socket that stays open while the supervisor may run.',
    });
  }
}

/** Stops once when the owner's end is closed; what comes through it is ignored. */
function stopWithOwner(tie: Socket, supervision: Supervision): void {
  tie.on('error', () => undefined);
  tie.on('close', () => {
    if (!supervision.stopRequested) supervision.requestStop('the owner is gone');
  });
  tie.resume();
}

function stopOnSignals(supervision: Supervision): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => supervision.requestStop(signal));
  }
}

async function openState(home: Home, options: SupervisorOptions, log: Log): Promise<StateFile> {
  const initial = {
    pid: process.pid,
    startTime: await ownStartTime(),
    daemonPid: null,
    url: null,
    state: 'starting',
    lastFailure: null,
    restarts: 0,
    tied: options.tiedTo !== undefined,
  } as const;
  return openStateFile(home.supervisorFile, initial, (error) => log.warn({}, errorMessage(error)));
}

async function run(options: SupervisorOptions): Promise<SuperviseOutcome> {
  checkEntry(options.daemonEntry);
  const tie = options.tiedTo === undefined ? undefined : openTie(options.tiedTo);
  const home = openHome(process.env);
  const log = createLineLog(home.logsDir, systemClock);
  const state = await openState(home, options, log);
  const supervision = supervise({
    clock: systemClock,
    log,
    stopGraceMs: options.stopGraceMs,
    report: (change) => state.report(change),
    startDaemon: (mode, reason, onMessage) =>
      startDaemon({
        entry: options.daemonEntry,
        home: home.home,
        mode,
        reason,
        clock: systemClock,
        onMessage(message) {
          onMessage(message);
          if (message.type === 'ready') releaseMemory();
        },
        onStderr(text) {
          tell(text);
          log.warn({ from: 'daemon' }, text.trimEnd());
        },
      }),
  });
  stopOnSignals(supervision);
  if (tie !== undefined) stopWithOwner(tie, supervision);
  return supervision.outcome;
}

function explain(error: unknown): string {
  const next = error instanceof KairosError && error.next !== undefined ? ` ${error.next}` : '';
  return `kairos: ${errorMessage(error)}${next}\n`;
}

setBoundaryRole('supervisor');
try {
  const { exitCode, failure } = await run(readOptions(process.argv.slice(2), defaultEntry()));
  if (failure !== undefined) tell(`kairos: ${failure.reason}\n`);
  process.exit(exitCode);
} catch (error) {
  tell(explain(error));
  process.exit(daemonExit.configuration);
}
