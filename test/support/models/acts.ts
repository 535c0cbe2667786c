import { assertNever } from '../../../shared/base/assert-never.ts';
import type { Gate } from './gate.ts';
import type { FinishReason, Piece, RetryHint, Script, ScriptedCall, UsageFigures } from './script.ts';
import { tokensOf } from './tokens.ts';
import type { Encoder, Problem, Tally } from './wire.ts';
import { newId } from './wire-words.ts';

/** The least that can be done to a response; a script becomes a row of these. */
export type Act =
  | { readonly kind: 'send'; readonly frame: string }
  | { readonly kind: 'pass'; readonly gate: Gate }
  | { readonly kind: 'refuse'; readonly problem: Problem; readonly hint: RetryHint }
  | { readonly kind: 'page'; readonly page: Extract<Piece, { kind: 'page' }> }
  | { readonly kind: 'over'; readonly how: 'cut' | 'ended' | 'hang' };

/** What a script is played for. */
export interface Part {
  readonly encoder: Encoder;
  readonly tally: Tally;
  readonly maxTokens: number | undefined;
}

interface Progress {
  started: boolean;
  output: number;
  reason: FinishReason;
  figures: Partial<UsageFigures>;
}

function usageNow({ tally }: Part, { output, figures }: Progress): UsageFigures {
  const { input, cacheRead, cacheWrite } = tally;
  return { input, cacheRead, cacheWrite, output: tokensOf(output), ...figures };
}

function* sent(frames: Iterable<string>, gate?: Gate): Iterable<Act> {
  for (const frame of frames) {
    if (gate !== undefined) yield { kind: 'pass', gate };
    yield { kind: 'send', frame };
  }
}

function* begin(part: Part, progress: Progress): Iterable<Act> {
  if (progress.started) return;
  progress.started = true;
  yield* sent(part.encoder.start(usageNow(part, progress)));
}

function complete(call: ScriptedCall): Required<ScriptedCall> {
  const { name, input = {}, inputText = JSON.stringify(input), id = newId('toolu_') } = call;
  return { name, input, inputText, id };
}

type Content = Extract<Piece, { kind: 'text' | 'thinking' | 'calls' | 'endless' }>;

function* endlessActs(
  piece: Extract<Piece, { kind: 'endless' }>,
  part: Part,
  progress: Progress,
): Iterable<Act> {
  const limit = piece.upTo === 'never' ? undefined : (part.maxTokens ?? 8192);
  while (limit === undefined || tokensOf(progress.output) < limit) {
    progress.output += piece.text.length;
    yield* sent(part.encoder.text(piece.text, piece.chunk ?? piece.text.length), piece.gate);
  }
  progress.reason = 'length';
}

function* contentActs(piece: Content, part: Part, progress: Progress): Iterable<Act> {
  yield* begin(part, progress);
  const chunk = piece.chunk ?? 16;
  switch (piece.kind) {
    case 'text':
      progress.output += piece.text.length;
      return yield* sent(part.encoder.text(piece.text, chunk), piece.gate);
    case 'thinking':
      progress.output += piece.text.length;
      return yield* sent(part.encoder.thinking(piece.text, piece.signature, chunk), piece.gate);
    case 'calls': {
      const list = piece.calls.map(complete);
      for (const { name, inputText } of list) progress.output += name.length + inputText.length;
      progress.reason = 'calls';
      return yield* sent(part.encoder.calls(list, chunk, piece.interleaved === true), piece.gate);
    }
    case 'endless':
      return yield* endlessActs(piece, part, progress);
    default:
      assertNever(piece);
  }
}

function* errorActs(
  piece: Extract<Piece, { kind: 'streamError' }>,
  part: Part,
  progress: Progress,
): Iterable<Act> {
  const message = piece.message ?? 'Overloaded';
  const frame = part.encoder.error(piece.type, message);
  if (frame === undefined) return yield { kind: 'refuse', problem: { status: 529, message }, hint: {} };
  yield* begin(part, progress);
  yield { kind: 'send', frame };
  yield { kind: 'over', how: 'ended' };
}

function* pieceActs(piece: Piece, part: Part, progress: Progress): Iterable<Act> {
  switch (piece.kind) {
    case 'text':
    case 'thinking':
    case 'calls':
    case 'endless':
      return yield* contentActs(piece, part, progress);
    case 'usage':
      progress.figures = { ...progress.figures, ...piece.usage };
      return;
    case 'finish':
      progress.reason = piece.reason;
      return;
    case 'start':
      return yield* begin(part, progress);
    case 'ping':
      yield* begin(part, progress);
      return yield* sent(part.encoder.ping());
    case 'wait':
      return yield { kind: 'pass', gate: piece.gate };
    case 'raw':
      return yield { kind: 'send', frame: piece.data };
    case 'malformed':
      yield* begin(part, progress);
      return yield* sent(part.encoder.malformed(piece.data));
    case 'httpError': {
      const problem = { status: piece.status, message: piece.message ?? `Scripted error ${piece.status}` };
      return yield { kind: 'refuse', problem, hint: piece };
    }
    case 'streamError':
      return yield* errorActs(piece, part, progress);
    case 'page':
      return yield { kind: 'page', page: piece };
    case 'cut':
    case 'hang':
      return yield { kind: 'over', how: piece.kind };
    case 'endEarly':
      return yield { kind: 'over', how: 'ended' };
    default:
      assertNever(piece);
  }
}

/** What to do for a script, in order; the closing events come by themselves. May have no end. */
export function* actsOf(script: Script, part: Part): Iterable<Act> {
  const progress: Progress = { started: false, output: 0, reason: 'stop', figures: {} };
  for (const piece of script) yield* pieceActs(piece, part, progress);
  yield* begin(part, progress);
  yield* sent(part.encoder.finish(progress.reason, usageNow(part, progress)));
  yield { kind: 'over', how: 'ended' };
}
