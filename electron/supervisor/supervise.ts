import { errorCode, errorMessage } from '../../shared/base/errors.ts';
import type { Clock, Log } from '../../shared/base/ports.ts';
import type { FailureTimes } from '../../shared/domain/supervision/restart-policy.ts';
import type { DaemonMessage, SupervisorState } from '../../shared/protocol/supervisor-link.ts';
import { boundary } from '../node/boundary.ts';
import { type DaemonEnd, type DaemonMode, type Failure, afterEnd } from './after-end.ts';
import type { DaemonHandle } from './daemon-process.ts';

/** What changes in `supervisor.json`; the rest is the same for the life of the supervisor. */
export type StateChange = Partial<
  Pick<SupervisorState, 'daemonPid' | 'url' | 'state' | 'lastFailure' | 'restarts'>
>;

/** What supervising needs from outside. */
export interface SupervisePorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly stopGraceMs: number;
  startDaemon(
    mode: DaemonMode,
    reason: string | undefined,
    onMessage: (message: DaemonMessage) => void,
  ): Promise<DaemonHandle>;
  /** Notes a change for people; must not throw. */
  report(change: StateChange): void;
}

/** How supervising ended: the exit code, and the failure to tell people about. */
export interface SuperviseOutcome {
  readonly exitCode: number;
  readonly failure: Failure | undefined;
}

/** A running supervision. */
export interface Supervision {
  readonly outcome: Promise<SuperviseOutcome>;
  readonly stopRequested: boolean;
  /** Stops in order; a second call kills at once. */
  requestStop(why: string): void;
}

/** Something that happens once and can be waited for or asked about. */
interface Once {
  readonly happened: boolean;
  readonly promise: Promise<void>;
  fire(): void;
}

function createOnce(): Once {
  let happened = false;
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return {
    get happened() {
      return happened;
    },
    promise,
    fire() {
      happened = true;
      resolve();
    },
  };
}

async function start(ports: SupervisePorts, mode: DaemonMode, reason: string | undefined) {
  boundary('daemon.spawn', 'before');
  const daemon = await ports.startDaemon(mode, reason, (message) => {
    if (message.type === 'ready') {
      boundary('daemon.ready', 'before');
      ports.report({ state: mode === 'safe' ? 'safe' : 'running', url: message.url });
      ports.log.info({ daemonPid: message.pid, mode, version: message.version }, 'The daemon is ready.');
      boundary('daemon.ready', 'after');
    } else ports.log.info({ ...message }, `The daemon says: ${message.reason}`);
  });
  boundary('daemon.spawn', 'after');
  ports.report({ daemonPid: daemon.pid });
  return daemon;
}

async function stop(ports: SupervisePorts, daemon: DaemonHandle): Promise<void> {
  boundary('daemon.stop', 'before');
  ports.report({ state: 'stopping' });
  await daemon.stop(ports.stopGraceMs);
  boundary('daemon.stop', 'after');
}

/** One life of the daemon: how it ended, or `stopped` when we were asked to stop meanwhile. */
async function runOnce(
  ports: SupervisePorts,
  mode: DaemonMode,
  reason: string | undefined,
  stopping: Once,
  onStarted: (daemon: DaemonHandle) => void,
): Promise<DaemonEnd | 'stopped'> {
  let daemon: DaemonHandle;
  try {
    daemon = await start(ports, mode, reason);
  } catch (error) {
    return { code: null, failure: { code: errorCode(error), reason: errorMessage(error) } };
  }
  onStarted(daemon);
  const end = await Promise.race([daemon.ended, stopping.promise]);
  if (end !== undefined && !stopping.happened) return end;
  await stop(ports, daemon);
  return 'stopped';
}

async function pause(clock: Clock, ms: number, stopping: Once): Promise<void> {
  let cancel = (): void => undefined;
  const waited = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([waited, stopping.promise]);
  cancel();
}

function noteFailure(ports: SupervisePorts, failure: Failure, restarts: number): void {
  ports.log.error({ code: failure.code, restarts }, failure.reason);
  ports.report({
    daemonPid: null,
    url: null,
    restarts,
    lastFailure: { at: ports.clock.now(), code: failure.code, reason: failure.reason },
  });
}

async function keepRunning(
  ports: SupervisePorts,
  stopping: Once,
  onStarted: (daemon: DaemonHandle) => void,
): Promise<SuperviseOutcome> {
  let mode: DaemonMode = 'normal';
  let failures: FailureTimes = [];
  let reason: string | undefined;
  for (let restarts = 0; !stopping.happened; restarts += 1) {
    ports.report({ state: 'starting', restarts });
    const end = await runOnce(ports, mode, reason, stopping, onStarted);
    if (end === 'stopped') break;
    const next = afterEnd(mode, failures, end, ports.clock.monotonic());
    if (end.code !== 0) noteFailure(ports, end.failure, restarts);
    if (next.kind === 'exit') {
      ports.report({ state: next.failure === undefined ? 'stopped' : 'failed', daemonPid: null, url: null });
      return { exitCode: next.code, failure: next.failure };
    }
    if (next.mode !== mode) {
      reason = end.failure.reason;
      ports.log.warn({ code: end.failure.code }, 'The daemon is started in safe mode.');
    }
    ({ mode, failures } = next);
    ports.report({ state: 'waiting' });
    await pause(ports.clock, next.afterMs, stopping);
  }
  ports.report({ state: 'stopped', daemonPid: null, url: null });
  return { exitCode: 0, failure: undefined };
}

/** Keeps one daemon running until it stops in order, cannot be kept up, or `requestStop` is called. */
export function supervise(ports: SupervisePorts): Supervision {
  const stopping = createOnce();
  let current: DaemonHandle | undefined;
  const outcome = keepRunning(ports, stopping, (daemon) => {
    current = daemon;
  });
  return {
    outcome,
    get stopRequested() {
      return stopping.happened;
    },
    requestStop(why) {
      ports.log.info({ why, again: stopping.happened }, 'Asked to stop.');
      if (stopping.happened) current?.kill();
      stopping.fire();
    },
  };
}
