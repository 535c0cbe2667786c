import { errorMessage } from '../../shared/base/errors.ts';
import { workerLinkVersion } from '../../shared/protocol/worker-link.ts';
import { boundary, setBoundaryRole } from '../node/boundary.ts';
import { systemClock } from '../node/clock.ts';
import { createSystemIds } from '../node/ids.ts';
import { Leases } from './links/leases.ts';
import { LinkClient } from './links/link-client.ts';
import { processTransport } from './links/process-transport.ts';
import { stderrReport } from './links/stderr-report.ts';
import { listenToDaemon } from './links/worker-link.ts';
import { sessionRunner } from './session-worker.ts';
import { readWorkerKind } from './worker-kind.ts';

/** EX_USAGE of sysexits.h. */
const exitUsage = 64;

function fail(event: string, error: unknown): never {
  const stack = error instanceof Error ? error.stack : undefined;
  stderrReport({ event, message: errorMessage(error), stack });
  process.exit(1);
}

/** A worker for sessions: holds no durable truth, ends with its daemon. */
function runSessionWorker(parcels: string): void {
  const transport = processTransport({
    parcels,
    clock: systemClock,
    onFault: (error) => fail('link_fault', error),
  });
  const client = new LinkClient(transport);
  const context = { clock: systemClock, ids: createSystemIds(systemClock), run: process.env.KAIROS_RUN };
  const leases = new Leases({
    transport,
    client,
    clock: systemClock,
    report: stderrReport,
    makeRunner: (lease, port) => sessionRunner(lease, port, context),
    onAllGone: () => void transport.flushed().then(() => process.exit(0)),
  });
  listenToDaemon({
    transport,
    client,
    leases,
    report: stderrReport,
    onForeignVersion: (version) =>
      fail('foreign_version', `The daemon speaks version ${version} of the worker link.`),
  });
  process.on('SIGTERM', () => leases.stopAll());
  // Exiting lets go of the leashes, which kill the group of every child at once.
  transport.onClose(() => process.exit(0));
  boundary('link.ready', 'before');
  transport.send({ type: 'ready', version: workerLinkVersion, pid: process.pid });
  boundary('link.ready', 'after');
}

process.on('uncaughtException', (error) => fail('uncaught', error));
const start = readWorkerKind(process.argv.slice(2));
if (start.kind === 'refused') {
  process.stderr.write(`${start.message}\n`);
  process.exitCode = exitUsage;
} else {
  process.title = 'kairos --daemon-worker=session';
  setBoundaryRole('worker');
  // The daemon's own files are closed to others; files a person asked for have ordinary modes.
  process.umask(0o022);
  runSessionWorker(start.parcels);
}
