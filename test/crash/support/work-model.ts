import type { Ask } from '../../support/models/ask.ts';
import { call, calls, type Script, text } from '../../support/models/script.ts';

/** So many calls make a context of this window overflow. */
const callsOfTask = 5;

/** What the model is asked for, as people write it in the work conversation. */
export const wishes = {
  work: 'please work it off',
  start: 'please start it in the background',
  loop: 'please go on for ever',
  once: 'please run it once',
} as const;

/** The model of the work conversation: which call is due stands in the newest turn, so that a summary may take the place of the rest. */
export function workModel(ledger: string): (ask: Ask) => Script {
  return (ask) => {
    if (ask.system.includes('condense')) return [text('Tasks are worked off; all went well so far.')];
    if (ask.system.includes('running note')) return [text('Note: tasks are worked off one by one.')];
    const last = ask.turns.at(-1);
    const said = lastWish(ask);
    const results = last?.results.length ?? 0;
    if (said === wishes.loop) return [calls(call('Bash', { command: 'true # the same' }))];
    if (last?.text.includes('[background task ended]') === true) return [text('I heard of it.')];
    if (said === wishes.work) return work(JSON.stringify(last), results === 0);
    if (results > 0 || said === null) return [text('Done.')];
    return [calls(call('Bash', commandOf(said, ledger)))];
  };
}

function work(last: string, isFirst: boolean): Script {
  const done = Number([...last.matchAll(/done (\d+)/g)].at(-1)?.[1] ?? 0);
  if (done >= callsOfTask || (done === 0 && !isFirst)) return [text('Worked off.')];
  // About 1,000 tokens of output.
  return [calls(call('Bash', { command: `seq 1 900; echo "done ${done + 1}"` }))];
}

function commandOf(said: string, ledger: string): { command: string; run_in_background?: boolean } {
  if (said === wishes.start) return { command: 'sleep 0.2; echo over', run_in_background: true };
  return { command: `echo c-once >> ${ledger}` };
}

/** The newest wish of the person; a summary keeps those of the running turn word for word. */
function lastWish(ask: Ask): string | null {
  const all = ask.turns.filter(({ role }) => role === 'user').map((turn) => turn.text);
  const places = Object.values(wishes).map((wish) => [all.join('\n').lastIndexOf(wish), wish] as const);
  const [at, wish] = places.toSorted(([left], [right]) => right - left)[0] ?? [-1, null];
  return at < 0 ? null : wish;
}
