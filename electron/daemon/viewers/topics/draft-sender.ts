import type { Cancel, Clock } from '../../../../shared/base/ports.ts';
import type { Draft } from '../../../../shared/protocol/bridge.ts';
import type { DraftPiece } from '../../../../shared/session/live.ts';
import { frameText, type Viewer } from './viewer.ts';

/** At most 30 sends a second and session. */
const spacingMs = 34;
/** Characters per draft frame; a longer piece is several frames. */
const frameChars = 32 * 1024;

/** Sends the draft of one session; lossy, newest wins. */
export interface DraftSender {
  add(piece: DraftPiece): void;
  /** The step was replied to or abandoned; later pieces of it are dropped. Gives the frame that says so. */
  end(step: string): string;
  /** A viewer left. */
  forget(viewer: Viewer): void;
  stop(): void;
}

/** What the sender needs to know of its topic. */
export interface DraftAudience {
  readonly topic: string;
  viewers(): Iterable<Viewer>;
  /** The whole draft, for viewers that lost pieces. */
  draft(): Draft | null;
}

/** A sender that sends the first piece at once and gathers later ones for `spacingMs`. */
export function createDraftSender(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  audience: DraftAudience,
): DraftSender {
  /** Viewers that lost a piece: the whole draft from its beginning is their next one. */
  const behind = new Set<Viewer>();
  let gathered: DraftPiece[] = [];
  let ended: string | null = null;
  let lastSend = Number.NEGATIVE_INFINITY;
  let timer: Cancel | null = null;

  const send = (): void => {
    timer = null;
    const pieces = gathered;
    gathered = [];
    if (pieces.length === 0) return;
    lastSend = clock.monotonic();
    const frames = framesOf(audience.topic, pieces);
    for (const viewer of audience.viewers()) {
      const wanted = behind.delete(viewer) ? wholeDraftFrames(audience.topic, audience.draft()) : frames;
      if (!wanted.every((frame) => viewer.sendDraft(frame))) behind.add(viewer);
    }
  };
  return {
    add(piece) {
      if (piece.step === ended) return;
      gathered = gather(gathered, piece);
      if (timer !== null) return;
      const wait = lastSend + spacingMs - clock.monotonic();
      if (wait <= 0) send();
      else timer = clock.after(wait, send, { keepAlive: false });
    },
    end(step) {
      ended = step;
      gathered = gathered.filter((piece) => piece.step !== step);
      behind.clear();
      return frameText({ type: 'draft_ended', topic: audience.topic, step });
    },
    forget: (viewer) => void behind.delete(viewer),
    stop() {
      timer?.();
      timer = null;
      gathered = [];
    },
  };
}

/** Pieces that continue one another become one; a new step begins anew. */
function gather(pieces: readonly DraftPiece[], piece: DraftPiece): DraftPiece[] {
  const last = pieces.at(-1);
  if (last?.step !== piece.step) return [piece];
  const continues = last.part === piece.part && last.offset + last.text.length === piece.offset;
  return continues ? pieces.with(-1, { ...last, text: last.text + piece.text }) : [...pieces, piece];
}

/** The frames that give a whole draft from its beginning, to a viewer that has nothing or lost pieces. */
export function wholeDraftFrames(topic: string, draft: Draft | null): string[] {
  if (draft === null) return [];
  const { step } = draft;
  return framesOf(
    topic,
    draft.parts.map(({ kind, text }, part) => ({ step, part, kind, offset: 0, text })),
  );
}

function framesOf(topic: string, pieces: readonly Omit<DraftPiece, 'session'>[]): string[] {
  return pieces.flatMap(({ step, part, kind, offset, text }) => {
    const frames: string[] = [];
    for (let start = 0; start === 0 || start < text.length; start += frameChars) {
      const piece = text.slice(start, start + frameChars);
      frames.push(frameText({ type: 'draft', topic, step, part, kind, offset: offset + start, text: piece }));
    }
    return frames;
  });
}
