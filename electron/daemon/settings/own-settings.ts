import { canonicalJson, isObject } from '../../../shared/base/json.ts';
import type { Sha256 } from '../../../shared/base/ports.ts';
import { type ConfigFile, emptyConfigFile, parseConfigFile } from '../../../shared/domain/config-file.ts';
import {
  type DecidingParts,
  decidingParts,
  heldConfig,
  isLooser,
} from '../../../shared/domain/held-config.ts';
import type { HeldConfig } from '../../../shared/domain/session-config.ts';
import type { Store } from '../events/port.ts';
import type { EffectRow } from '../events/rows.ts';
import { ownConfigText } from './trust-text.ts';

/** What the person's own file is judged with; `home`: real path of Kairos's own, under which the word on it is kept. */
export interface OwnSettingsPorts {
  readonly store: Pick<Store, 'meta' | 'setMeta' | 'trust' | 'session' | 'effect' | 'summaries' | 'calls'>;
  readonly sha256: Sha256;
  readonly home: string;
}

/** The file as it holds; `held` where it says more than was accepted. */
export interface JudgedOwn {
  readonly file: ConfigFile;
  readonly held: HeldConfig | null;
}

/** A call, or a background task, that runs outside the sandbox: it can write whatever the person can. */
export type OpenRun =
  | { readonly session: string; readonly call: string }
  | { readonly session: string; readonly task: string };

/** The version that holds. `isHeld`: the file said more when it was read last. */
interface Accepted {
  readonly parts: DecidingParts;
  readonly digest: string;
  readonly isHeld: boolean;
  readonly isStored: boolean;
}

const key = 'settings.accepted';

/**
 * Whether a change of the person's file may loosen anything: at once when nothing of the agent can have made it, else by the
 * owner's word alone, until which the version before it holds. What is stricter holds at once.
 */
export class OwnSettings {
  readonly #ports: OwnSettingsPorts;
  readonly #running = new Map<string, OpenRun>();
  /** Runs begun so far, and how many there were at the last reading of the accepted version while none was under way. */
  #begun = 0;
  #begunWhenClean = 0;
  #accepted: Accepted | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: OwnSettingsPorts) {
    this.#ports = ports;
  }

  /** Something runs from now on that can write the file. */
  began(run: OpenRun): void {
    this.#begun += 1;
    this.#running.set(nameOf(run), run);
  }

  /** It is over; false when it was none that could. The file is to be read next, before a person can have changed it. */
  ended(run: OpenRun): boolean {
    return this.#running.delete(nameOf(run));
  }

  /** A hook ran. */
  ran(): void {
    this.#begun += 1;
  }

  /** To be taken before the file is read; null while something runs that can write it. */
  async mark(): Promise<number | null> {
    for (const [name, run] of this.#running) if (await this.#isOver(run)) this.#running.delete(name);
    return this.#running.size === 0 ? this.#begun : null;
  }

  /** What holds of the file as it was read after `mark`; one after the other. Never rejects. */
  judge(file: ConfigFile, mark: number | null): Promise<JudgedOwn> {
    const judged = this.#last.then(() => this.#judge(file, mark));
    this.#last = judged;
    return judged;
  }

  async #judge(now: ConfigFile, mark: number | null): Promise<JudgedOwn> {
    // Nothing of a file that cannot be known loosens.
    if (now.closed) return { file: now, held: null };
    const digest = this.#digestOf(now);
    const accepted = this.#accepted ?? (await this.#atStart(now, digest));
    const isSame = accepted.digest === digest;
    if (isSame || !isLooser(accepted.parts, now)) return this.#accept(now, digest, mark);
    if (!accepted.isHeld && this.#begun === this.#begunWhenClean) return this.#accept(now, digest, null);
    // A store that cannot be read is no reason to take it, nor to ask.
    const word = await this.#ports.store.trust(this.#ports.home).catch(() => 'unknown' as const);
    const isDecided = word === 'unknown' || word?.digest === digest;
    if (word !== 'unknown' && word?.digest === digest && word.trusted) return this.#accept(now, digest, mark);
    await this.#keep({ ...accepted, isHeld: true });
    const before = ownConfigText(accepted.parts);
    const config = ownConfigText(now);
    const held = { dir: this.#ports.home, digest, config, before, isDecided };
    return { file: heldConfig(accepted.parts, now), held };
  }

  async #accept(file: ConfigFile, digest: string, mark: number | null): Promise<JudgedOwn> {
    if (mark !== null) this.#begunWhenClean = mark;
    await this.#keep({ parts: file, digest, isHeld: false, isStored: false });
    return { file, held: null };
  }

  /** A full disk keeps nothing from holding; it is stored with the next reading. */
  async #keep(next: Accepted): Promise<void> {
    const known = this.#accepted;
    const isStored = known?.isStored === true && known.digest === next.digest && known.isHeld === next.isHeld;
    this.#accepted = { ...next, isStored };
    if (isStored) return;
    const text = JSON.stringify({ held: next.isHeld, file: asFile(next.parts) });
    const done = await this.#ports.store.setMeta(key, text).then(
      () => true,
      () => false,
    );
    this.#accepted = { ...next, isStored: done };
  }

  /** A person edits while Kairos is stopped; what was held before stays held, and what ran when it died may have written. */
  async #atStart(now: ConfigFile, digest: string): Promise<Accepted> {
    const stored = readStored(await this.#ports.store.meta(key).catch(() => null));
    if (stored === null) {
      // A broken file that is mended by who knows whom is not what the person had at the start.
      const parts = this.#begun === 0 ? now : emptyConfigFile;
      return { parts, digest: this.#digestOf(parts), isHeld: false, isStored: false };
    }
    const before = { ...stored, digest: this.#digestOf(stored.parts), isStored: true };
    this.#accepted = before;
    if (before.digest !== digest && !before.isHeld && (await this.#ranAtTheEnd())) this.#begun += 1;
    return before;
  }

  async #ranAtTheEnd(): Promise<boolean> {
    const { store } = this.#ports;
    for (const { session } of await store.summaries().catch(() => [])) {
      if ((session.tasks?.running.length ?? 0) > 0) return true;
      const calls = session.step === null ? [] : await store.calls(session.step.id).catch(() => []);
      if (calls.some((call) => isUnderWay(call) && canWrite(call))) return true;
    }
    return false;
  }

  async #isOver(run: OpenRun): Promise<boolean> {
    const { store } = this.#ports;
    try {
      if ('call' in run) {
        const effect = await store.effect(run.call);
        return effect === null || !isUnderWay(effect);
      }
      const row = await store.session(run.session);
      return row?.tasks?.running.some(({ id }) => id === run.task) !== true;
    } catch {
      // Not known: it counts as running.
      return false;
    }
  }

  #digestOf(parts: DecidingParts): string {
    return this.#ports.sha256(canonicalJson({ version: 1, ...decidingParts(parts) }));
  }
}

function nameOf(run: OpenRun): string {
  return 'call' in run ? `call ${run.call}` : `task ${run.session} ${run.task}`;
}

function isUnderWay({ state, result }: EffectRow): boolean {
  return state === 'started' && result === null;
}

function canWrite({ facts }: EffectRow): boolean {
  return facts === null || (facts.access === 'command' && facts.sandboxed !== true);
}

/** As a settings file, so that it is read again by what reads such files. */
function asFile({ permissions, hooks, projectAllow, env, sandbox }: DecidingParts): unknown {
  const section = { ...hooks, ...(projectAllow ? { projectAllow } : {}) };
  return { permissions, hooks: section, env, ...(sandbox === null ? {} : { sandbox }) };
}

function readStored(text: string | null): { readonly parts: ConfigFile; readonly isHeld: boolean } | null {
  if (text === null) return null;
  const stored: unknown = JSON.parse(text);
  if (!isObject(stored)) return null;
  const parts = parseConfigFile(JSON.stringify(stored.file), 'user', 'settings.json');
  return parts.closed ? null : { parts, isHeld: stored.held !== false };
}
