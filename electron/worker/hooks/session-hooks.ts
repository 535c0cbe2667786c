import { canonicalJson } from '../../../shared/base/json.ts';
import type { Clock, StopSignal } from '../../../shared/base/ports.ts';
import { readHookAnswer } from '../../../shared/domain/hooks/answer.ts';
import {
  combineHooks,
  type HookOutcome,
  type HookReport,
  type HookSaid,
  noOutcome,
} from '../../../shared/domain/hooks/combine.ts';
import {
  type HookOccasion,
  type HookSession,
  hookInput,
  occasionName,
} from '../../../shared/domain/hooks/occasions.ts';
import { isGate, withFailure } from '../../../shared/domain/hooks/failing.ts';
import { type HookRule, hookName, hooksFor } from '../../../shared/domain/hooks/rules.ts';
import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import type { HookPort } from '../agent/hook-port.ts';
import type { SessionPort } from '../agent/ports.ts';
import { runHook } from './run-hook.ts';

/** The hooks that hold in a session now, and the mode that they are told. */
export interface HookTerms {
  readonly rules: readonly HookRule[];
  readonly mode: PermissionMode;
}

/** What the hooks of a session work with; `terms` gives what the daemon said last. */
export interface SessionHookParts {
  readonly session: Omit<HookSession, 'mode'>;
  readonly begins: HookPort['begins'];
  readonly terms: () => HookTerms;
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
  readonly ask: SessionPort['ask'];
  readonly clock: Clock;
}

/** Hooks as processes. All of an event run at the same time, each within its own. */
export class SessionHooks implements HookPort {
  readonly begins: HookPort['begins'];
  readonly #parts: SessionHookParts;
  /** SessionStart was told: its counterpart is due when the session is let go. */
  #isBegun = false;
  /** Guards that worked when they ran last, as the daemon was told. */
  readonly #well = new Set<string>();
  #version: { readonly of: readonly HookRule[]; readonly text: string } | null = null;

  constructor(parts: SessionHookParts) {
    this.#parts = parts;
    this.begins = parts.begins;
  }

  get version(): string {
    const { rules } = this.#parts.terms();
    if (this.#version?.of !== rules) this.#version = { of: rules, text: canonicalJson(rules) };
    return this.#version.text;
  }

  async fire(occasion: HookOccasion, signal: StopSignal): Promise<HookOutcome | 'cut'> {
    if (occasion.event === 'SessionStart') this.#isBegun = true;
    const { rules, mode } = this.#parts.terms();
    const chosen = hooksFor(rules, occasion.event, occasionName(occasion));
    if (chosen.length === 0) return noOutcome;
    const input = JSON.stringify(hookInput(occasion, { ...this.#parts.session, mode }));
    const said = await Promise.all(chosen.map((rule) => this.#run(rule, input, signal)));
    if (signal.aborted) return 'cut';
    const outcome = combineHooks(occasion, said);
    for (const report of outcome.reports) await this.#report(occasion, report);
    return outcome;
  }

  /** Runs SessionEnd hooks of a session that began here, with at most `limitMs` for all. */
  async end(reason: 'released' | 'interrupted', limitMs: number): Promise<void> {
    if (!this.#isBegun) return;
    this.#isBegun = false;
    const over = new AbortController();
    const cancel = this.#parts.clock.after(limitMs, () => over.abort());
    try {
      await this.fire({ event: 'SessionEnd', reason }, over.signal);
    } finally {
      cancel();
    }
  }

  async #run(rule: HookRule, input: string, signal: StopSignal): Promise<HookSaid> {
    const { session, environment, clock } = this.#parts;
    const places = {
      KAIROS_PROJECT_DIR: rule.dir ?? session.dir,
      CLAUDE_PROJECT_DIR: rule.dir ?? session.dir,
    };
    const run = await runHook(
      {
        command: rule.command,
        dir: session.dir,
        environment: async () => ({ ...(await environment()), ...places }),
        input,
        timeoutMs: rule.timeoutMs,
      },
      signal,
      clock,
    );
    const answer = withFailure(rule, readHookAnswer(rule.event, run));
    if (run.end !== 'cut' && isGate(rule.event)) await this.#note(rule, answer.failure === undefined);
    return { rule, answer };
  }

  /** That it failed is a report; that it works is told once until it fails. */
  async #note(rule: HookRule, isWell: boolean): Promise<void> {
    const hook = hookName(rule);
    const key = `${rule.event} ${hook}`;
    if (!isWell) this.#well.delete(key);
    else if (!this.#well.has(key)) {
      this.#well.add(key);
      await this.#parts.ask('hookWell', { hook, event: rule.event });
    }
  }

  async #report(occasion: HookOccasion, { by, outcome, text, broken }: HookReport): Promise<void> {
    const withheld =
      occasion.event === 'UserPromptSubmit' && outcome === 'blocked' ? { withheld: occasion.ref } : {};
    const call = 'call' in occasion ? { call: occasion.call } : {};
    await this.#parts.ask('hookRan', {
      hook: by,
      event: occasion.event,
      outcome,
      text,
      ...call,
      ...withheld,
      ...(broken === undefined ? {} : { broken }),
    });
  }
}
