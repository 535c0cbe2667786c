import { errorMessage } from '../../../shared/base/errors.ts';
import type { ShellFacts } from '../../../shared/domain/permissions/shell-facts.ts';
import { loadSyntax, type Syntax } from './load-syntax.ts';
import { withNestedScripts } from './nested-scripts.ts';
import { readScript } from './read-script.ts';
import { refusedText } from './refuse-text.ts';
import { findShell, type ShellDialect } from './which-shell.ts';

/** Loads the parser (about 80 ms, 23 MB) so that the first `parseShell` need not wait for it. */
export async function warmShell(): Promise<void> {
  await loadSyntax();
}

/** What the command of a shell consists of; without `dialect` it is read as the shell of this machine does. Never rejects for a text. */
export async function parseShell(command: string, dialect?: ShellDialect): Promise<ShellFacts> {
  const refused = refusedText(command);
  if (refused !== null) return { kind: 'unparsed', reason: refused };
  const [syntax, read] = await Promise.all([
    loadSyntax(),
    dialect ?? findShell().then((shell) => shell.dialect),
  ]);
  const facts = withNestedScripts(parseAs(command, read, syntax), (script) => {
    const reason = refusedText(script);
    return reason === null ? parseAs(script, read, syntax) : { kind: 'unparsed', reason };
  });
  return JSON.stringify(facts).length > largestFacts ? tooMany : facts;
}

/** In characters of JSON; a part within parts stands in all their sources. */
const largestFacts = 160 * 1024;
const tooMany: ShellFacts = { kind: 'unparsed', reason: 'It has too many parts within parts.' };

function parseAs(command: string, dialect: ShellDialect, syntax: Syntax): ShellFacts {
  const facts = tryParse(command, dialect, syntax, syntax.LangBash);
  if (dialect !== 'sh' || facts.kind === 'unparsed') return facts;
  // Without bash only that is known which means the same in every shell.
  const plain = tryParse(command, dialect, syntax, syntax.LangPOSIX);
  if (plain.kind === 'parsed' && JSON.stringify(plain) === JSON.stringify(facts) && !onlyBash.test(command))
    return plain;
  return {
    kind: 'unparsed',
    reason: 'It means something else without bash, which this machine does not have.',
  };
}

/** What bash and plain shells read differently although both take it. */
const onlyBash = /\$['"]|\{[^}]*(?:,|\.\.)|\[\[|&>|<\(|>\(|\btime\b|\bfunction\b|\bselect\b|\+=|=\(/;

function tryParse(
  command: string,
  dialect: ShellDialect,
  syntax: Syntax,
  language: Syntax['LangBash'],
): ShellFacts {
  try {
    return readScript(command, dialect, syntax, language);
  } catch (error) {
    return { kind: 'unparsed', reason: `It cannot be read as a command of a shell (${problem(error)}).` };
  }
}

/** The parser throws objects of its own with a method that tells. */
function problem(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deep';
  const told: unknown =
    typeof error === 'object' && error !== null && 'Error' in error && typeof error.Error === 'function'
      ? error.Error()
      : errorMessage(error);
  return String(told).slice(0, longestProblem);
}

const longestProblem = 120;
