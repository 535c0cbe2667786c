import type { CallFacts } from './call-facts.ts';
import { isInterpreter } from './launchers.ts';
import { outsidePlaces } from './risk-files.ts';
import { programRisks, programsOf } from './risk-programs.ts';
import type { ShellPart } from './shell-facts.ts';
import { partsOf, type WordPlaces } from './shell-words.ts';
import { isShell } from './wrappers.ts';

/**
 * True for a command of which no rule is offered to be kept, not even its exact text: what it does is another thing each time (a
 * shell that reads what it runs, `eval`, a program known only when it runs), or too bad to go unseen (other rights, the history on a
 * server, deletes outside the session's directory).
 */
export function isNeverKept(facts: CallFacts, where: WordPlaces): boolean {
  if (facts.access !== 'command') return false;
  return partsOf(facts).some(partIsNeverKept) || outsidePlaces(facts, where).deleted.length > 0;
}

function partIsNeverKept(part: ShellPart): boolean {
  const [first] = part.words;
  if (first === undefined) return false;
  const texts = part.words.map(({ text }) => text);
  const { rights, force } = programRisks(texts, (text) => text);
  if (first.kind !== 'literal' || rights !== undefined || force !== undefined) return true;
  return programsOf(texts).some(
    ([at, program]) =>
      (at === 0 && program === 'eval') ||
      ((isShell(program) || isInterpreter(program) || /^(?:source|\.)$/.test(program)) &&
        (at === 0 || program !== '.') &&
        runsWhatIsNotSeen(part, at)),
  );
}

/** An interpreter that is given no script, or one that is known only when it runs. */
function runsWhatIsNotSeen({ words }: ShellPart, at: number): boolean {
  const rest = words.slice(at + 1);
  const named = rest.filter(({ text }) => !text.startsWith('-') || text === '-');
  const tells = rest.some(({ text }) => /^--?(?:version|help|V|h)$/.test(text));
  const readsInput = named.length === 0 || named[0]?.text === '-' || rest[0]?.text === '-s';
  return (readsInput && !tells) || rest.some(({ kind }) => kind === 'dynamic');
}
