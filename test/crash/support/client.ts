import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BridgeRefusal } from '../../support/real/bridge-client.ts';
import type { Kairos } from '../../support/real/kairos.ts';
import type { AcceptedVerdict, Acknowledged } from './evidence.ts';

/** A message as the bridge tells about it. */
interface MessageAnswer {
  readonly session: string;
  readonly state: 'settled' | 'working' | 'asking' | 'parked';
}

interface Prompt {
  readonly code: string;
  readonly kind: string;
  readonly preview: string;
  readonly session: string;
}

/** What is sent; the uuid is chosen here, so that a message can be sent again until it is acknowledged. */
export interface Outgoing {
  readonly text: string;
  readonly session: string;
  readonly mode?: 'default' | 'bypassPermissions';
  readonly queue?: 'next_step' | 'after_turn' | 'replace';
}

const longestMs = 60_000;

/** A patient person: resends what was not acknowledged, answers what is asked, and keeps score. */
export class PatientClient {
  readonly acknowledged: Acknowledged[] = [];
  readonly accepted: AcceptedVerdict[] = [];
  readonly #kairos: Kairos;
  readonly #stop = new AbortController();
  #answering: Promise<void> | null = null;

  constructor(kairos: Kairos) {
    this.#kairos = kairos;
  }

  /** Stored and acknowledged when this resolves. */
  async send(message: Outgoing, uuid: string = randomUUID()): Promise<string> {
    const body = { ...message, uuid, dir: this.#kairos.work };
    const answer = await this.#kairos.bridge.insist<MessageAnswer>(
      { method: 'POST', path: '/messages', body },
      longestMs,
    );
    this.acknowledged.push({ uuid, session: answer.session });
    return uuid;
  }

  /** A wish that may be repeated until it is acknowledged. */
  insist<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
    return this.#kairos.bridge.insist<Answer>(
      { method, path, ...(body === undefined ? {} : { body }) },
      longestMs,
    );
  }

  /** Makes a session; one that was made before its acknowledgement was lost is found to be there. */
  async makeSession(name: string, terms: { mode?: 'bypassPermissions'; model?: string } = {}): Promise<void> {
    const body = { name, dir: this.#kairos.work, ...terms };
    await this.#kairos.bridge
      .insist({ method: 'POST', path: '/sessions', body }, longestMs)
      .catch((error: unknown) => {
        if (!(error instanceof BridgeRefusal) || error.status !== 409) throw error;
      });
  }

  /** Does what a person does about a parked session: by default takes it up again. */
  async settled(
    uuid: string,
    within = longestMs,
    whenParked: (session: string) => Promise<void> = (session) => this.#retry(session),
  ): Promise<void> {
    const until = performance.now() + within;
    for (;;) {
      const answer = await this.#kairos.bridge.insist<MessageAnswer>(`/messages/${uuid}`, longestMs);
      if (answer.state === 'settled') return;
      if (answer.state === 'parked') await whenParked(answer.session);
      if (performance.now() > until)
        throw new Error(`message ${uuid} is still "${answer.state}" after ${within} ms`);
      await delay(25);
    }
  }

  async #retry(session: string): Promise<void> {
    await this.#kairos.bridge
      .insist({ method: 'POST', path: `/sessions/${session}/retry` }, longestMs)
      .catch(() => undefined);
  }

  /** Ends the running turn of a session; harmless when there is none. */
  async interrupt(session: string): Promise<void> {
    await this.#kairos.bridge.insist({ method: 'POST', path: `/sessions/${session}/interrupt` }, longestMs);
  }

  /** Answers everything that is asked until `stop`: deny where the text says so, else allow; questions with A. */
  answerPrompts(): void {
    this.#answering ??= this.#answerAll();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#answering;
  }

  async #answerAll(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      for (const prompt of await this.#open()) await this.#decide(prompt).catch(() => undefined);
      await delay(25);
    }
  }

  async #open(): Promise<readonly Prompt[]> {
    try {
      const body = await this.#kairos.bridge.get<readonly Prompt[] | { prompts: readonly Prompt[] }>(
        '/prompts?state=open',
      );
      return 'prompts' in body ? body.prompts : body;
    } catch {
      return [];
    }
  }

  async #decide({ code, kind, preview }: Prompt): Promise<void> {
    const verdict =
      kind === 'question'
        ? { behavior: 'answer', text: 'A' }
        : preview.includes('deny-me')
          ? { behavior: 'deny', reason: 'not this one' }
          : { behavior: 'allow', scope: 'once' };
    const call = { method: 'POST', path: `/prompts/${code}/verdict`, body: { verdict } } as const;
    try {
      const { outcome } = await this.#kairos.bridge.insist<{ outcome: string }>(
        call,
        10_000,
        this.#stop.signal,
      );
      if (outcome === 'accepted') this.accepted.push({ code, behavior: verdict.behavior });
    } catch (error) {
      if (!(error instanceof BridgeRefusal) && !this.#stop.signal.aborted) throw error;
    }
  }
}
