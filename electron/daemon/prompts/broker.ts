import { boundary } from '../../node/boundary.ts';
import { errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import { answerMeant } from '../../../shared/domain/answer-text.ts';
import type { AnsweredBy, Verdict } from '../../../shared/domain/prompts.ts';
import type { VerdictAnswer } from '../../../shared/protocol/bridge.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { CommitNotice, Store } from '../events/port.ts';
import type { OfferRow, PromptRow } from '../events/rows.ts';
import { isAskedFor, showingFor } from './showing.ts';
import type { Surface } from './surface.ts';
import { verdictRefusal } from './verdict-check.ts';
import { verdictAnswer } from './verdict-text.ts';

/** What the broker works with. */
export interface BrokerPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly problems: ProblemPort;
  /** Why the call that was allowed just now is not run all the same; null: it is. Absent: nobody can tell. */
  readonly outlook?: (prompt: PromptRow) => Promise<string | null>;
}

/** Wrong codes that lock a sender (a surface, where senders are unknown) until the daemon or the surface starts anew. */
const wrongCodeLimit = 5;
/** Characters of an answer or a reason as JSON. */
const mostWords = 32_000;
const tooLong = 'That is too long for an answer: put it into a file and name the file.';
const daemonBy = { surface: 'daemon', principal: 'kairos' } as const;

/** Asks people, everywhere at once; the first valid verdict wins (design 26 to 29). What is asked and answered is rows. */
export class PromptBroker {
  readonly #ports: BrokerPorts;
  readonly #surfaces = new Map<string, Surface>();
  readonly #wrong = new Map<string, number>();
  /** Offers and closings under way; a surface that registers anew starts without those of its former self. */
  readonly #underWay = new WeakMap<Surface, Map<string, Promise<void>>>();
  readonly #pending = new Set<Promise<void>>();
  readonly #offCommit: () => void;
  /** Until the first surface came nobody was asked yet: it is offered all that is open then. */
  #begun = false;

  constructor(ports: BrokerPorts) {
    this.#ports = ports;
    this.#offCommit = ports.store.onCommit((notice) => this.#onCommit(notice));
  }

  /** Adds a surface and offers it every open prompt (again); closes those that ended while it was away. */
  async register(surface: Surface): Promise<void> {
    this.#begun = true;
    this.#surfaces.set(surface.id, surface);
    for (const sender of this.#wrong.keys()) {
      if (sender === surface.id || sender.startsWith(`${surface.id}\u0000`)) this.#wrong.delete(sender);
    }
    const { store } = this.#ports;
    const open = await store.prompts({ state: 'open', limit: Number.MAX_SAFE_INTEGER });
    await Promise.all(open.map((prompt) => this.#offer(prompt, surface, true)));
    for (const offer of await store.offers({ surface: surface.id, untold: true })) {
      const prompt = await store.prompt(offer.prompt);
      if (prompt && prompt.state !== 'open') await this.#close(prompt, surface);
    }
  }

  unregister(surface: string): void {
    this.#surfaces.delete(surface);
  }

  /** A person's verdict from the surface `by.surface`. Changes nothing unless the outcome is `accepted`. */
  async verdict(codeOrId: string, verdict: Verdict, by: AnsweredBy, owner: boolean): Promise<VerdictAnswer> {
    const { store, log } = this.#ports;
    const sender = this.#sender(by);
    if ((this.#wrong.get(sender) ?? 0) >= wrongCodeLimit) {
      return {
        outcome: 'not_allowed',
        by: null,
        message:
          'Too many wrong codes from here: locked. Decide in the window or with the CLI (kairos approvals); to unlock: kairos daemon restart',
      };
    }
    const prompt = (await store.prompt(codeOrId.toLowerCase())) ?? (await store.prompt(codeOrId));
    if (!prompt) {
      if (!owner) this.#wrong.set(sender, (this.#wrong.get(sender) ?? 0) + 1);
      log.warn({ surface: by.surface, principal: by.principal }, 'verdict for an unknown code');
      return {
        outcome: 'unknown',
        by: null,
        message: `Nothing asks under the code ${codeOrId.slice(0, 40)}.`,
      };
    }
    const words =
      verdict.behavior === 'answer'
        ? verdict.text
        : verdict.behavior === 'deny'
          ? (verdict.reason ?? '')
          : '';
    if (JSON.stringify(words).length > mostWords)
      return { outcome: 'not_allowed', by: null, message: tooLong };
    const refusal = prompt.state === 'open' ? await this.#refusal(prompt, verdict, by, owner) : null;
    if (refusal !== null) {
      log.warn(
        { surface: by.surface, principal: by.principal, code: prompt.code, refusal },
        'verdict refused',
      );
      return { outcome: 'not_allowed', by: null, message: refusal };
    }
    const meant: Verdict =
      verdict.behavior === 'answer' ? { ...verdict, text: answerMeant(prompt, verdict.text) } : verdict;
    const claimed = await store.claimPrompt({ code: prompt.id, verdict: meant, by });
    const answer = verdictAnswer(claimed.outcome, claimed.prompt);
    const more = claimed.prompt === null ? null : await this.#more(claimed.outcome, claimed.prompt);
    return more === null ? answer : { ...answer, message: `${answer.message} ${more}` };
  }

  /** What the bare outcome does not say: that an allowed call is denied by now, or why nobody is asked any more. */
  async #more(outcome: VerdictAnswer['outcome'], prompt: PromptRow): Promise<string | null> {
    const { store, outlook, log } = this.#ports;
    try {
      if (outcome === 'expired' && prompt.state === 'withdrawn') return await whyWithdrawn(store, prompt);
      if (outcome !== 'accepted' || prompt.kind !== 'approval' || prompt.verdict?.behavior !== 'allow')
        return null;
      const why = (await outlook?.(prompt)) ?? null;
      return why === null ? null : `It is not run all the same, denied by: ${oneLine(why, 400)}`;
    } catch (error) {
      // The verdict is stored: what could be said besides it is no reason to answer with a fault.
      log.warn(
        { code: prompt.code, error: errorMessage(error) },
        'what follows from a verdict could not be told',
      );
      return null;
    }
  }

  /** Resolves when no offer or closing is under way, or after `graceMs` (a surface may never answer). */
  async settled(graceMs: number): Promise<void> {
    let over = false;
    const grace = new Promise<void>((resolve) => {
      this.#ports.clock.after(graceMs, resolve, { keepAlive: false });
    }).then(() => {
      over = true;
    });
    while (this.#pending.size > 0 && !over) await Promise.race([Promise.all(this.#pending), grace]);
  }

  stop(): void {
    this.#offCommit();
  }

  #sender(by: AnsweredBy): string {
    const proves = this.#surfaces.get(by.surface)?.traits.provesSender === true;
    return proves ? `${by.surface}\u0000${by.device ?? by.principal}` : by.surface;
  }

  async #refusal(
    prompt: PromptRow,
    verdict: Verdict,
    by: AnsweredBy,
    owner: boolean,
  ): Promise<string | null> {
    const surface = this.#surfaces.get(by.surface);
    if (!surface) return verdictRefusal({ prompt, verdict, owner, surface: null, offer: null });
    const [offer = null] = await this.#offersOf(prompt, surface);
    return verdictRefusal({ prompt, verdict, owner, surface: surface.traits, offer });
  }

  /** An offer under way is waited for; one that failed is made again. */
  async #offersOf(prompt: PromptRow, surface: Surface): Promise<readonly OfferRow[]> {
    const wanted = { surface: surface.id, prompt: prompt.id };
    const offers = await this.#ports.store.offers(wanted);
    if (offers.length > 0) return offers;
    await this.#offer(prompt, surface, false);
    return this.#ports.store.offers(wanted);
  }

  #onCommit(notice: CommitNotice): void {
    if (!this.#begun) return;
    for (const id of notice.prompts) this.#track(this.#spread(id));
  }

  #track(work: Promise<void>): void {
    const guarded = work.catch((error: unknown) => {
      this.#ports.log.error({ error: errorMessage(error) }, 'a prompt could not be spread');
      this.#ports.problems.set(
        'prompts',
        `A question could not be shown: ${errorMessage(error)}`,
        'See kairos approvals.',
      );
    });
    this.#pending.add(guarded);
    void guarded.finally(() => this.#pending.delete(guarded));
  }

  async #spread(id: string): Promise<void> {
    const prompt = await this.#ports.store.prompt(id);
    if (!prompt) return;
    const surfaces = [...this.#surfaces.values()];
    if (prompt.state !== 'open') {
      await Promise.all(surfaces.map((surface) => this.#close(prompt, surface)));
      return;
    }
    const asked = surfaces.filter((surface) => isAskedFor(prompt.kind, surface.traits));
    if (asked.length === 0) return this.#nobodyCanAsk(prompt);
    await Promise.all(asked.map((surface) => this.#offer(prompt, surface, false)));
  }

  /** Failure class 16: the requester is told at once instead of waiting a day. */
  async #nobodyCanAsk(prompt: PromptRow): Promise<void> {
    const by: AnsweredBy = { ...daemonBy, at: this.#ports.clock.now() };
    const reason = 'No surface is there that could ask the person.';
    await this.#ports.store.claimPrompt({ code: prompt.id, verdict: { behavior: 'deny', reason }, by });
  }

  #offer(prompt: PromptRow, surface: Surface, again: boolean): Promise<void> {
    if (!isAskedFor(prompt.kind, surface.traits)) return Promise.resolve();
    return this.#once('offer', prompt, surface, () => this.#offerNow(prompt, surface, again));
  }

  /** One offer and one closing at a time per prompt and surface; asking for another waits for the one under way. */
  #once(
    what: 'offer' | 'close',
    prompt: PromptRow,
    surface: Surface,
    work: () => Promise<void>,
  ): Promise<void> {
    const underWay = this.#underWay.get(surface) ?? new Map<string, Promise<void>>();
    this.#underWay.set(surface, underWay);
    const key = `${what} ${prompt.id}`;
    const known = underWay.get(key);
    if (known) return known;
    const done = work().finally(() => underWay.delete(key));
    underWay.set(key, done);
    return done;
  }

  async #offerNow(prompt: PromptRow, surface: Surface, again: boolean): Promise<void> {
    const { store, log } = this.#ports;
    try {
      const [earlier] = await store.offers({ surface: surface.id, prompt: prompt.id });
      if (earlier && !again) return;
      boundary('prompt.offer', 'before');
      const { shown, externalId } = await surface.offer(showingFor(prompt, surface.traits, prompt.digest));
      boundary('prompt.offer', 'after');
      if (this.#surfaces.get(surface.id) !== surface) return;
      await store.recordOffer({ prompt: prompt.id, surface: surface.id, shown, externalId });
    } catch (error) {
      log.warn(
        { surface: surface.id, code: prompt.code, error: errorMessage(error) },
        'offer failed; made again when the surface returns or answers',
      );
    }
    const fresh = await store.prompt(prompt.id);
    if (fresh && fresh.state !== 'open') await this.#close(fresh, surface);
  }

  #close(prompt: PromptRow, surface: Surface): Promise<void> {
    return this.#once('close', prompt, surface, () => this.#closeNow(prompt, surface));
  }

  async #closeNow(prompt: PromptRow, surface: Surface): Promise<void> {
    const { store, log } = this.#ports;
    if (this.#surfaces.get(surface.id) !== surface) return;
    const [offer] = await store.offers({ surface: surface.id, prompt: prompt.id });
    if (!offer || offer.settledTold) return;
    try {
      await surface.settled(prompt);
      await store.settleOffer(prompt.id, surface.id);
    } catch (error) {
      log.warn(
        { surface: surface.id, code: prompt.code, error: errorMessage(error) },
        'surface not told; told when it returns',
      );
    }
  }
}

/** The reason stands in the log, near its end: the prompt was open a moment ago. */
async function whyWithdrawn(
  store: Pick<Store, 'events'>,
  { session, id }: PromptRow,
): Promise<string | null> {
  const newest = await store.events(session, { limit: 200 });
  const ends = newest.flatMap((event) =>
    event.type === 'prompt.withdrawn' && event.body.prompt === id ? [event.body.reason] : [],
  );
  return ends[0] ?? null;
}
