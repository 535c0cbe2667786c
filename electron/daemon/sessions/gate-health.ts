import type { EventBody } from '../../../shared/domain/events.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';

/** Guards that did not work when they ran last: told once in each session, and a problem until they run well again; memory only. */
export class GateHealth {
  readonly #problems: ProblemPort | undefined;
  /** Sessions that were told, by hook. */
  readonly #failing = new Map<string, Set<string>>();

  constructor(problems: ProblemPort | undefined) {
    this.#problems = problems;
  }

  /** What is stored of it: a failure that the session was told of already is only for the detail view. */
  failed(session: string, ran: EventBody<'hook.ran'>): EventBody<'hook.ran'> {
    const { broken, ...told } = ran;
    if (broken === undefined) return ran;
    const key = keyOf(ran);
    const sessions = this.#failing.get(key) ?? new Set();
    this.#failing.set(key, sessions);
    const what = broken === 'holds' ? 'nothing that it guards passes' : 'what it guards passes without it';
    this.#problems?.set(
      key,
      `The hook (${ran.hook}) of ${ran.event} does not work, ${what}: ${ran.text}`,
      'Mend it or take it out of the settings; this goes when it runs well again.',
    );
    if (sessions.has(session)) return told;
    sessions.add(session);
    return ran;
  }

  /** It ran and worked. */
  well(hook: Pick<EventBody<'hook.ran'>, 'hook' | 'event'>): void {
    const key = keyOf(hook);
    if (this.#failing.delete(key)) this.#problems?.clear(key);
  }

  /** Hooks that a session does not have any more are nobody's problem. `names`: of those that hold there now. */
  holds(session: string, names: readonly Pick<EventBody<'hook.ran'>, 'hook' | 'event'>[]): void {
    if (this.#failing.size === 0) return;
    const now = new Set(names.map(keyOf));
    for (const [key, sessions] of this.#failing) {
      if (now.has(key) || !sessions.delete(session) || sessions.size > 0) continue;
      this.#failing.delete(key);
      this.#problems?.clear(key);
    }
  }

  /** Sessions in which a guard failed. */
  sessions(): readonly string[] {
    return [...new Set([...this.#failing.values()].flatMap((sessions) => [...sessions]))];
  }
}

function keyOf({ hook, event }: Pick<EventBody<'hook.ran'>, 'hook' | 'event'>): string {
  return `hook ${event}: ${hook}`;
}
