import { WebSocket } from 'ws';
import {
  type ClientFrame,
  type DaemonFile,
  type ServerFrame,
  bridgeVersion,
  limits,
  serverFrameSchema,
} from '../../../shared/protocol/bridge.ts';
import { safeModeWords } from '../../../shared/protocol/safe-mode.ts';
import { CommandFailure, restartIt } from '../failure.ts';
import { exit } from '../exit.ts';

/** A followed topic. */
export interface LiveTopic {
  /** Resolves when nothing more will come; rejects with CommandFailure when the daemon refuses this program. */
  readonly ended: Promise<void>;
  close(): void;
}

/** A one-time ticket and the daemon that gave it. */
export interface Admission {
  readonly daemon: DaemonFile;
  readonly ticket: string;
}

function socketUrl(daemon: DaemonFile): URL {
  const url = new URL('/api/v1/ws', daemon.url);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

function readFrame(data: unknown): ServerFrame | undefined {
  try {
    const answer = serverFrameSchema.safeParse(JSON.parse(String(data)));
    // A frame of a later version says nothing to this one.
    return answer.success ? answer.data : undefined;
  } catch {
    // Not JSON: no frame of this protocol.
    return undefined;
  }
}

type ErrorFrame = Extract<ServerFrame, { type: 'error' }>;

/** A refused ticket (the daemon was restarted meanwhile) and a fault of the daemon may pass; the rest stays as it is. */
function refusal(frame: ErrorFrame, { safe }: DaemonFile): CommandFailure | undefined {
  if (frame.code === 'safe_mode') {
    const { why, next } = safeModeWords(safe ?? 'It does not say why.');
    return new CommandFailure(
      exit.failed,
      `Kairos is in safe mode and runs no sessions: ${why}`,
      next,
      frame,
    );
  }
  const passes = frame.code === 'internal' || (frame.code === 'not_allowed' && frame.topic === undefined);
  if (passes) return undefined;
  const next = frame.code === 'daemon_older' ? restartIt : 'See: kairos doctor';
  return new CommandFailure(exit.refused, `The daemon refused to be followed: ${frame.message}`, next, frame);
}

/** Connects, says hello, subscribes to `topic` and hands every frame on. A broken connection ends it quietly. */
export function followTopic(
  admission: Admission,
  topic: string,
  onFrame: (frame: ServerFrame) => void,
): LiveTopic {
  const socket = new WebSocket(socketUrl(admission.daemon), {
    // A little more than the daemon promises, so that a frame at the limit with its framing still passes.
    maxPayload: 4 * limits.frameBytes,
    perMessageDeflate: false,
    origin: new URL(admission.daemon.url).origin,
    handshakeTimeout: 10_000,
  });
  const say = (frame: ClientFrame): void => socket.send(JSON.stringify(frame));
  const hello = { type: 'hello', ticket: admission.ticket, version: bridgeVersion, client: 'cli' } as const;
  const ended = new Promise<void>((resolve, reject) => {
    const take = (frame: ServerFrame): void => {
      if (frame.type === 'welcome' || frame.type === 'resync') say({ type: 'subscribe', topic });
      if (frame.type === 'error') {
        const failure = refusal(frame, admission.daemon);
        if (failure === undefined) resolve();
        else reject(failure);
      }
      onFrame(frame);
    };
    socket.on('open', () => say(hello));
    socket.on('message', (data) => {
      const frame = readFrame(data);
      if (frame !== undefined) take(frame);
    });
    // `close` follows; a connection that breaks is tried again by the caller.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
  return { ended, close: () => socket.terminate() };
}
