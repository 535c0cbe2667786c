import { oneLine } from '../../base/visible-text.ts';
import type { CallFacts } from './call-facts.ts';
import { protectedChanges } from './protected.ts';
import { keyFiles, outsidePlaces } from './risk-files.ts';
import { programRisks, type RiskKind, riskKinds } from './risk-programs.ts';
import { askSelf, type SelfProtection } from './self-protection.ts';
import type { ShellFacts } from './shell-facts.ts';
import { namesTooMuch } from './shell-words.ts';

/** What risks are told against. */
export interface RiskPlaces {
  /** The session's directory; real and absolute. */
  readonly dir: string;
  readonly self: SelfProtection;
  /** Files that the hooks of the session run; absent: none. */
  readonly hookFiles?: readonly string[];
  /** Takes out what looks like a secret; a text is cut only afterwards. */
  readonly mask: (text: string) => string;
}

type Named = (text: string) => string;

/** What previews show in place of characters that cannot be seen; joiners and variants of emoji are no trick. */
const madeVisible = /<U\+(?!FE0F>|200D>)[0-9A-F]+>/;

/** A prompt names no more risks than these, and no longer ones (characters). */
const most = 6;
const longestName = 80;
/** Places of one kind that are named; of more the first ones stand for all. */
const mostPlaces = 2;

/** What is risky about a call, one short sentence each, the worst first. Hints for the person: nothing is decided by them. */
export function risksOf(facts: CallFacts, places: RiskPlaces): readonly string[] {
  const named: Named = (text) => oneLine(places.mask(text), longestName);
  const where = { dir: places.dir, home: places.self.person?.home ?? null };
  const programs = facts.access === 'command' ? commandRisks(facts.shell, named) : none;
  const about = (title: string, paths: readonly string[]): readonly string[] =>
    paths.slice(0, mostPlaces).map((path) => `${title}: ${named(path)}`);
  const outside = namesTooMuch(facts, where) ? null : outsidePlaces(facts, where);
  const risks = [
    ...changedRisks(facts, named),
    ...selfRisks(facts, places),
    ...protectedRisks(facts, where, named, places.hookFiles),
    ...programs('rights', 'force'),
    ...about("Deletes or moves away what is outside the session's directory", outside?.deleted ?? []),
    ...programs('deletes', 'machine'),
    ...about("Writes outside the session's directory", outside?.written ?? []),
    ...about("Makes a link to what is outside the session's directory", outside?.linked ?? []),
    ...programs('code'),
    ...(outside === null ? [] : about('May read keys or passwords', keyFiles(facts, where))),
    ...programs('secrets'),
    ...(hasNoNetwork(facts) ? [] : programs('network')),
    ...(facts.access === 'network' ? ['Reads from the network.'] : []),
    ...textRisks(facts, places),
  ];
  return [...new Set(risks)].slice(0, most);
}

const none = (): readonly string[] => [];

/** What a hook put in the place of a call is not what was asked for. */
function changedRisks({ changed }: CallFacts, named: Named): readonly string[] {
  if (changed === undefined) return [];
  const asked = changed.asked === '' ? '' : `; Kairos asked for: ${named(changed.asked)}`;
  return [`Changed by the hook (${named(changed.by)})${asked}`];
}

function selfRisks(facts: CallFacts, { dir, self }: RiskPlaces): readonly string[] {
  const found = askSelf(facts, dir, self);
  return found === null ? [] : [`Reaches for what Kairos guards: ${found.by}.`];
}

function protectedRisks(
  facts: CallFacts,
  where: { readonly dir: string; readonly home: string | null },
  named: Named,
  hookFiles?: readonly string[],
): readonly string[] {
  const found = protectedChanges(facts, where, hookFiles);
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return kinds.slice(0, mostPlaces).map((kind) => {
    const path = found.find((each) => each.kind === kind)?.path;
    return `Changes what runs by itself later: ${path === null || path === undefined ? kind : `${named(path)} (${kind})`}`;
  });
}

/** What a shut-in command has no way to; the worker's own last line of the preview says so. */
function hasNoNetwork({ sandboxed, preview }: CallFacts): boolean {
  return sandboxed === true && /\[in the sandbox: [^\n]*; no network\]$/.test(preview.trimEnd());
}

function textRisks({ preview }: CallFacts, { mask }: RiskPlaces): readonly string[] {
  return [
    ...(madeVisible.test(preview)
      ? [
          'Holds characters that cannot be seen or that change the order of others; they are made visible below.',
        ]
      : []),
    ...(mask(preview) === preview
      ? []
      : ['Part of it is hidden because it looks like a secret; it counts all the same.']),
  ];
}

/** The sentences of some kinds, over all parts of a command; what cannot be read or followed counts as code. */
function commandRisks(
  shell: ShellFacts | undefined,
  named: Named,
): (...kinds: readonly RiskKind[]) => readonly string[] {
  if (shell === undefined) return none;
  const found = shell.kind === 'parsed' ? partsRisks(shell, named) : unparsed(shell.reason);
  return (...kinds) => kinds.flatMap((kind) => found.get(kind) ?? []);
}

function unparsed(reason: string): ReadonlyMap<RiskKind, readonly string[]> {
  return new Map([['code', [`Kairos cannot tell what all of it does: ${reason}`]]]);
}

function partsRisks(
  { parts, odd }: ShellFacts & { kind: 'parsed' },
  named: Named,
): ReadonlyMap<RiskKind, readonly string[]> {
  const each = parts.map(({ words }) =>
    programRisks(
      words.map(({ text }) => text),
      named,
    ),
  );
  const all = new Map(riskKinds.map((kind) => [kind, each.flatMap((risks) => risks[kind] ?? [])]));
  const unknown = parts.flatMap(({ words: [word] }) =>
    word === undefined || word.kind === 'literal'
      ? []
      : [`Which program runs is known only when it runs: ${named(word.text)}`],
  );
  const strange = odd.length > 0 ? [`Has parts that are hard to follow: ${named(odd.join(', '))}`] : [];
  return all.set('code', [...(all.get('code') ?? []), ...unknown, ...strange]);
}
