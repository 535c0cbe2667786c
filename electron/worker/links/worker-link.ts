import { assertNever } from '../../../shared/base/assert-never.ts';
import {
  type DaemonToWorker,
  daemonToWorkerSchema,
  workerLinkVersion,
} from '../../../shared/protocol/worker-link.ts';
import type { Leases } from './leases.ts';
import type { LinkClient } from './link-client.ts';
import type { Report } from './stderr-report.ts';
import type { Transport } from './transport.ts';

/** Both ends of the link in this process. */
export interface LinkParts {
  readonly transport: Transport;
  readonly client: LinkClient;
  readonly leases: Leases;
  readonly report: Report;
  /** The daemon speaks another version: nothing can be done here. */
  readonly onForeignVersion: (version: number) => void;
}

/** Takes every frame of the daemon to where it belongs; frames that are not of this wire are reported and dropped. */
export function listenToDaemon(parts: LinkParts): void {
  parts.transport.onMessage((message) => {
    const parsed = daemonToWorkerSchema.safeParse(message);
    if (parsed.success) return dispatch(parts, parsed.data);
    parts.report({ event: 'malformed_frame', problem: parsed.error.issues[0]?.code, type: typeOf(message) });
  });
}

function dispatch(parts: LinkParts, frame: DaemonToWorker): void {
  const { client, leases } = parts;
  switch (frame.type) {
    case 'hello':
      leases.drafts = frame.drafts;
      if (frame.version !== workerLinkVersion) parts.onForeignVersion(frame.version);
      return;
    case 'lease':
      return leases.take(frame.lease);
    case 'release':
      return leases.release(frame.session, frame.lease, frame.interrupt);
    case 'changed':
      return leases.changed(frame.session, frame.lease);
    case 'hooks': {
      const { session, lease, rules, mode } = frame;
      return leases.hooksChanged(session, lease, { rules, mode });
    }
    case 'mode':
      // The policy that uses the mode runs in the daemon; nothing here depends on it yet.
      return;
    case 'answer':
      return unasked(parts, frame.id, client.answered(frame.id, frame.output));
    case 'fault':
      return unasked(parts, frame.id, client.failed(frame.id, frame.error.code, frame.error.message));
    case 'ping':
      return void parts.transport.send({ type: 'pong', n: frame.n });
    case 'stop':
      return leases.stopAll();
    default:
      return assertNever(frame, 'frame');
  }
}

function unasked({ report }: LinkParts, id: number, asked: boolean): void {
  if (!asked) report({ event: 'unasked_answer', id });
}

function typeOf(message: unknown): string {
  const type =
    typeof message === 'object' && message !== null && 'type' in message ? message.type : typeof message;
  return typeof type === 'string' ? type.slice(0, 40) : 'none';
}
