import type { PermissionMode } from '../../shared/domain/sessions.ts';
import type { UsageAnswer } from '../../shared/protocol/bridge.ts';
import type { StandingRule } from '../../shared/protocol/permissions.ts';

type Effect = StandingRule['effect'];

/** Texts of the views besides the conversation. */
export interface ViewsText {
  readonly nav: {
    label: string;
    search: string;
    approvals: string;
    usage: string;
    settings: string;
    doctor: string;
    palette: string;
    filter: string;
    noMatch: string;
  };
  readonly search: {
    title: string;
    titleHere(session: string): string;
    label: string;
    placeholder: string;
    hint: string;
    none: string;
    count(hits: number): string;
    everywhere: string;
  };
  readonly palette: {
    label: string;
    placeholder: string;
    none: string;
    session: string;
    view: string;
    act: string;
    searchFor(words: string): string;
  };
  readonly approvals: {
    title: string;
    tabs: { pending: string; decided: string; rules: string };
    nonePending: string;
    noneDecided: string;
    noneRules: string;
    open: string;
    waiting(time: string): string;
    effects: Readonly<Record<Effect, string>>;
    sources: Readonly<Record<StandingRule['source'], string>>;
    everywhere: string;
    only(session: string): string;
    revoke: string;
    where: string;
    anySession: string;
    onlyManaged: string;
  };
  readonly usage: {
    title: string;
    days: string;
    lastDays(count: number): string;
    groupedBy: string;
    by: Readonly<Record<UsageAnswer['by'], string>>;
    today: string;
    total: string;
    of(spent: string, limit: string): string;
    noLimit: string;
    limits: { day: string; sessionTokens: string; session: string; total: string };
    raise: string;
    raiseBy: string;
    raised(limit: string): string;
    columns: { cost: string; requests: string; input: string; output: string; cached: string };
    unpriced(requests: number): string;
    empty: string;
    chart: string;
  };
  readonly settings: {
    title: string;
    search: string;
    none: string;
    readOnly: string;
    file(path: string): string;
    from: string;
    sources: { default: string; settings: string; managed: string };
    later: string;
  };
  readonly doctor: {
    title: string;
    again: string;
    checking: string;
    good: string;
    problems(count: number): string;
    copy: string;
    states: { ok: string; warn: string; fail: string };
  };
  readonly session: {
    model: string;
    mode: string;
    brief: string;
    briefHint: string;
    options: string;
    modes: Readonly<Record<PermissionMode, string>>;
    modeHints: Readonly<Record<PermissionMode, string>>;
    usual(model: string): string;
    archive: string;
    pause: string;
  };
  readonly files: {
    attach: string;
    drop: string;
    uploading(name: string): string;
    failed(name: string, why: string): string;
    tooLarge: string;
    tooMany: string;
    remove(name: string): string;
    attached(path: string): string;
  };
  readonly wizard: {
    title: string;
    intro: string;
    step(index: number, count: number): string;
    steps: { model: string; directory: string; mode: string };
    builtIn: string;
    builtInHint: string;
    noKey: string;
    test: string;
    testing: string;
    works(ms: number): string;
    trust: string;
    trustNothing: string;
    trustAsk: string;
    trustYes: string;
    trustNo: string;
    check: string;
    firstMessage: string;
    back: string;
    next: string;
    start: string;
    plainForm: string;
  };
  readonly loading: string;
  readonly failed: string;
  readonly again: string;
}
