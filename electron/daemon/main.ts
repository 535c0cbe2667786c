import { errorCode } from '../../shared/base/errors.ts';
import type { Log } from '../../shared/base/ports.ts';
import {
  type DaemonMessage,
  daemonExit,
  supervisorMessageSchema,
} from '../../shared/protocol/supervisor-link.ts';
import { setBoundaryRole } from '../node/boundary.ts';
import { failureText } from './compose-parts.ts';
import { type DaemonRun, runDaemon } from './compose-run.ts';
import { runSafe } from './compose-safe.ts';
import { readSettings } from './settings/settings-file.ts';
import { openHome } from '../node/home.ts';
import { createLogger } from '../node/logger.ts';
import { productVersion } from '../node/product-version.ts';

/** What the daemon was told on its command line. */
interface DaemonArguments {
  readonly safe: boolean;
  readonly reason: string;
}

/** Codes of faults that starting again does not cure: the supervisor goes to safe mode at once. */
const incurable = new Set(['schema_newer', 'corrupt', 'store_missing']);

function readArguments(args: readonly string[]): DaemonArguments {
  const reason = args.find((arg) => arg.startsWith('--reason='))?.slice('--reason='.length);
  return { safe: args.includes('--safe'), reason: reason ?? 'started with --safe' };
}

function tellSupervisor(message: DaemonMessage): void {
  if (process.connected) process.send?.(message);
}

function exitCode(error: unknown): number {
  const code = errorCode(error);
  if (code === 'lock_held') return daemonExit.lockHeld;
  return incurable.has(code) ? daemonExit.configuration : 1;
}

/** Ends the process once: asked by the supervisor, a signal or the bridge; the supervisor goes on when `code` is not `stopped`. */
function makeStop(log: Log, running: () => DaemonRun | null): (reason: string, code?: number) => void {
  let stopping = false;
  return (reason, code = daemonExit.stopped) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    tellSupervisor({ type: 'stopping', reason });
    Promise.resolve(running()?.stop())
      .then(() => process.exit(code))
      .catch((error: unknown) => {
        log.error({ error: failureText(error) }, 'stop failed');
        process.exit(1);
      });
  };
}

/** Nothing can be stored in order any more; children die on their leashes, the supervisor does not start another. */
function leave(log: Log): void {
  const reason = 'the home was deleted or its lock file replaced';
  log.error({ reason }, 'leaving at once');
  tellSupervisor({ type: 'stopping', reason });
  process.exit(daemonExit.stopped);
}

async function main(): Promise<void> {
  setBoundaryRole('daemon');
  const options = readArguments(process.argv.slice(2));
  const home = openHome(process.env);
  const { level } = readSettings(home.settingsFile).settings.logs;
  const log = createLogger({ logsDir: home.logsDir, process: 'daemon', level });
  process.on('unhandledRejection', (error) =>
    log.error({ error: failureText(error) }, 'a rejection was not handled'),
  );
  let running: DaemonRun | null = null;
  const stop = makeStop(log, () => running);
  process.on('message', (value) => {
    const message = supervisorMessageSchema.safeParse(value);
    if (message.success) stop('asked by the supervisor');
  });
  // The supervisor is gone: nobody would restart us, and the next start must find the lock free.
  process.on('disconnect', () => process.exit(1));
  // Our supervisor never signals: a command of the agent, or a person who meant another process.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => stop(signal, daemonExit.terminated));
  const version = productVersion();
  const input = {
    home,
    log,
    version,
    env: process.env,
    onStop: (reason: string) => stop(reason),
    onLost: () => leave(log),
  };
  try {
    running = options.safe ? await runSafe({ ...input, reason: options.reason }) : await runDaemon(input);
    log.info({ url: running.url, version, safe: options.safe }, 'ready');
    tellSupervisor({ type: 'ready', pid: process.pid, url: running.url, version });
  } catch (error) {
    log.error({ error: failureText(error), code: errorCode(error) }, 'start failed');
    tellSupervisor({ type: 'failed', reason: failureText(error), code: errorCode(error) });
    process.stderr.write(`${failureText(error)}\n`, () => process.exit(exitCode(error)));
  }
}

await main();
