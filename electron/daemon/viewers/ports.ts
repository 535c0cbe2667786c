import type { Readable } from 'node:stream';
import type { Origin } from '../../../shared/domain/origin-route.ts';
import type { AnsweredBy, Verdict } from '../../../shared/domain/prompts.ts';
import type { SandboxMode } from '../../../shared/domain/sandbox.ts';
import type { PermissionMode, SessionKind } from '../../../shared/domain/sessions.ts';
import type {
  BackupAnswer,
  DefaultModelAnswer,
  DoctorReport,
  Draft,
  MessageAnswer,
  ModelsAnswer,
  ModelTestAnswer,
  Problem,
  RaiseAnswer,
  RaiseBody,
  SendBody,
  UsageAnswer,
  VerdictAnswer,
} from '../../../shared/protocol/bridge.ts';
import type {
  ExplainAnswer,
  ExplainBody,
  RuleTextsBody,
  StandingAnswer,
  TrustView,
  TrustWord,
} from '../../../shared/protocol/permissions.ts';
import type { SettingsAnswer, TakenFile } from '../../../shared/protocol/window-views.ts';
import type { DraftPiece, LiveFacts } from '../../../shared/session/live.ts';
import type { SessionRow } from '../events/rows.ts';

/** Live facts, announced; the bridge never polls. Listeners are cancelled by the returned function. */
export interface LiveSource {
  live(session: string): LiveFacts;
  draft(session: string): Draft | null;
  onLive(listener: (session: string) => void): () => void;
  onDraft(listener: (piece: DraftPiece) => void): () => void;
  problems(): readonly Problem[];
  onProblems(listener: () => void): () => void;
}

/** Rules that hold, and trust in directories. */
export interface PermissionCommands {
  /** What decides in a session, or in a new one in a directory; rejects with `not_found` and `bad_dir`. */
  standing(at: { session?: string | undefined; dir?: string | undefined }): Promise<StandingAnswer>;
  /** What would become of a call that nobody makes. */
  explain(body: ExplainBody): Promise<ExplainAnswer>;
  trustOf(dir: string): Promise<readonly TrustView[]>;
  trusts(): Promise<readonly TrustWord[]>;
  /** Rejects with `stale` when something else is there now. */
  setTrust(input: { dir: string; digest: string; trusted: boolean }, by: AnsweredBy): Promise<void>;
  /** False when it is not trusted. */
  revokeTrust(dir: string, by: AnsweredBy): Promise<boolean>;
}

/** What a viewer may ask for; rejects with `KairosError` (`not_found`, `name_taken`, `bad_input`, ...). Scopes were checked before. */
export interface BridgeCommands extends PermissionCommands {
  send(body: SendBody, origin: Origin): Promise<MessageAnswer>;
  messageAnswer(message: string): Promise<MessageAnswer>;
  createSession(input: {
    name: string | null;
    dir: string | null;
    kind: SessionKind;
    mode: PermissionMode | null;
    model: string | null;
    brief?: boolean;
    rules?: RuleTextsBody;
    sandbox?: SandboxMode;
  }): Promise<SessionRow>;
  rename(session: string, name: string): Promise<SessionRow>;
  setMode(session: string, mode: PermissionMode): Promise<SessionRow>;
  setModel(session: string, model: string): Promise<SessionRow>;
  setBrief(session: string, brief: boolean): Promise<SessionRow>;
  setPaused(session: string | null, paused: boolean): Promise<void>;
  interrupt(session: string, by: Origin): Promise<boolean>;
  /** Takes a parked session up again. */
  retry(session: string): Promise<SessionRow>;
  archive(session: string): Promise<SessionRow>;
  /** `owner`: the asker may use scopes `session` and `always`. */
  verdict(codeOrId: string, verdict: Verdict, by: AnsweredBy, owner: boolean): Promise<VerdictAnswer>;
  focus(session: string, typing: boolean): void;
  /** JSON lines of a whole session, made by a reader process. */
  exportSession(session: string): Promise<Readable>;
  /** `session`: messages of it alone. */
  search(
    query: string,
    limit: number,
    session: string | null,
  ): Promise<readonly { session: string; seq: number; at: number; text: string }[]>;
  /** Makes a folder with everything that is stored; rejects with `bad_input` when it exists or its parent does not. */
  backUp(to: string): Promise<BackupAnswer>;
  /** Providers that are there and their models; asks their servers, up to 3 s. */
  models(): Promise<ModelsAnswer>;
  /** One small real request, up to 10 s. */
  testModel(model: string): Promise<ModelTestAnswer>;
  /** The model of new sessions that name none. */
  setDefaultModel(model: string): Promise<DefaultModelAnswer>;
  usage(query: { days: number; by: UsageAnswer['by']; session: string | null }): Promise<UsageAnswer>;
  raiseBudget(body: RaiseBody): Promise<RaiseAnswer>;
  doctor(): Promise<DoctorReport>;
  /** What the settings files say now, with their sources. */
  settings(): Promise<SettingsAnswer>;
  /** Stores a file that a person sends, for the session's tools to find; rejects with `bad_input` and `too_large`. */
  takeFile(input: {
    readonly session: string;
    readonly name: string;
    readonly content: AsyncIterable<Uint8Array>;
  }): Promise<TakenFile>;
  /** Asks the daemon to stop in order; resolves once it was heard. */
  stop(reason: string): Promise<void>;
}
