import type { NothingKept } from '../../shared/domain/prompts.ts';
import type { WakeKind } from '../../shared/domain/wakes.ts';
import type { ViewsText } from './views-text.ts';
import type { CallItemState, NoticeCode } from '../../shared/session/session-view-items.ts';
import type { Ending, Who } from '../../shared/viewing/prompt-ending.ts';

export type Language = 'en' | 'zh';

/** Every text of the window; one table per language implements it. Wording: ux.md section 3. */
export interface WindowText {
  readonly language: Language;
  readonly app: string;
  readonly groups: { asking: string; working: string; rest: string; noneAsk: string };
  readonly sidebar: {
    sessions: string;
    newSession: string;
    problems(count: number): string;
    pauseAll: string;
    resumeAll: string;
    help: string;
    usage(spent: string, limit: string | null): string;
    noSessions: string;
    back: string;
  };
  readonly states: {
    asking: string;
    working(seconds: string | null, doing: string | null): string;
    queued(running: number): string;
    queuedWord: string;
    idle: string;
    background(count: number): string;
    asleep: string;
    asleepUntil(time: string): string;
    asleepNoAlarm: string;
    paused: string;
    pausedWord: string;
    parked(reason: string): string;
    parkedWord: string;
    resume: string;
    retry: string;
    stop: string;
  };
  readonly link: {
    connecting: string;
    reconnecting: string;
    gone: string;
    goneNext: string;
    tryNow: string;
    lockedTitle: string;
    lockedText: string;
    refusedTitle: string;
    outdatedTitle: string;
    outdatedText: string;
    openCommand: string;
    openHint: string;
    startCommand: string;
    copy: string;
    copied: string;
    safeMode(reason: string): string;
  };
  readonly history: {
    label: string;
    empty: string;
    loading: string;
    loadOlder: string;
    olderFailed: string;
    below(count: number): string;
    toEnd: string;
    draft: string;
    onItsOwn: string;
    kairos: string;
    detail: string;
    detailHint: string;
    unknownEvent(type: string): string;
    thinking: string;
    todos(count: number): string;
    readonly todoStates: Readonly<Record<'pending' | 'in_progress' | 'completed', string>>;
    /** On the button that saves a file. */
    save(name: string): string;
    notSent(path: string, reason: string): string;
    fileGone: string;
  };
  readonly marks: {
    unsent: string;
    stored: string;
    working: string;
    settled: string;
    nothingToSay: string;
    failed: string;
    interrupted: string;
    sendAgain: string;
    discard: string;
  };
  readonly calls: {
    fold(count: number, failed: number): string;
    states: Readonly<Record<CallItemState, string>>;
    until(time: string): string;
    spilled: string;
    decision: string;
    showAll: string;
    showLess: string;
    hiddenLines(count: number): string;
  };
  readonly code: { label(language: string): string; copyFailed: string };
  readonly views: ViewsText;
  readonly turn: {
    woke(time: string, cause: string): string;
    causes: Readonly<Record<WakeKind, string>>;
    summary(parts: { seconds: string; calls: number; cost: string | null; tokens: number | null }): string;
    interrupted: string;
    failed: string;
  };
  readonly notices: Readonly<Record<NoticeCode, (detail: string) => string>>;
  readonly delivery: Readonly<Record<'planned' | 'done' | 'failed' | 'uncertain', (to: string) => string>>;
  readonly prompt: {
    asks(session: string): string;
    question(session: string): string;
    position(index: number, count: number): string;
    inDirectory: string;
    modelSays: string;
    expires(time: string): string;
    /** The name of the text that is decided on. */
    whole: string;
    wholeQuestion: string;
    unseen: string;
    readingWhole: string;
    ruleStored: string;
    /** In front of the daemon's reason. */
    asksBecause: string;
    onceOnly: Readonly<Record<NothingKept, string>>;
    denyReason: { open: string; label: string; send: string };
    buttons: { deny: string; once: string; session: string; always: string; answer: string };
    risks: string;
    /** What a plan and the trust in a directory are called instead. */
    plan: OtherPrompt & { buttons: { session: string } };
    trust: OtherPrompt;
    hint: string;
    hintInside: string;
    sending: string;
    notSent: string;
    freeText: string;
    freeTextLabel: string;
    who(who: Who): string;
    ended(ending: Ending): string;
    decided(headline: string, who: string | null, ending: string): string;
    dismiss: string;
    announced(headline: string): string;
  };
  readonly composer: {
    label: string;
    placeholder: string;
    send: string;
    hint: string;
    readOnly: string;
  };
  readonly form: {
    title: string;
    firstTitle: string;
    name: string;
    nameHint: string;
    dir: string;
    dirHint: string;
    message: string;
    messageHint: string;
    create: string;
    cancel: string;
    rename: string;
    save: string;
  };
  readonly problems: { title: string; none: string; since(time: string): string };
  readonly help: { title: string; close: string; rows: readonly (readonly [keys: string, what: string])[] };
  readonly failed: { view: string; reload: string; copy: string };
  readonly time: { now: string; minutes(count: number): string; hours(count: number): string };
  readonly seconds: (seconds: string) => string;
  readonly minutesSeconds: (minutes: number, seconds: number) => string;
}

/** Title and buttons of a prompt that is no call of a tool. */
interface OtherPrompt {
  title: (session: string) => string;
  buttons: { deny: string; once: string };
}
