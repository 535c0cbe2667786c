import type { ShellFacts, ShellPart } from '../../../shared/domain/permissions/shell-facts.ts';
import { innerScript } from '../../../shared/domain/permissions/inner-scripts.ts';
import { commandsWithin } from '../../../shared/domain/permissions/wrappers.ts';

const deepest = 4;
const mostScripts = 50;

/** Adds the parts of scripts that parts hand to a shell as literal text, so that rules which deny or ask see them. */
export function withNestedScripts(facts: ShellFacts, parse: (script: string) => ShellFacts): ShellFacts {
  if (facts.kind === 'unparsed') return facts;
  const nested: ShellPart[] = [];
  const odd = new Set(facts.odd);
  let budget = mostScripts;
  const look = (parts: readonly ShellPart[], depth: number): void => {
    for (const script of parts.flatMap(scriptsOf)) {
      budget -= 1;
      if (depth > deepest || budget < 0) return void odd.add('scripts within scripts');
      const inner = parse(script);
      if (inner.kind === 'unparsed') odd.add('a script for a shell that cannot be read');
      else {
        for (const what of inner.odd) odd.add(what);
        nested.push(...inner.parts.map((part) => ({ ...part, nested: true })));
        look(inner.parts, depth + 1);
      }
    }
  };
  look(facts.parts, 1);
  return { ...facts, parts: [...facts.parts, ...nested], odd: [...odd] };
}

function scriptsOf({ words }: ShellPart): string[] {
  const found = commandsWithin(words).commands.flatMap(({ words: inner }) => {
    const script = innerScript(inner);
    return script?.kind === 'literal' ? [script.text] : [];
  });
  return [...new Set(found)];
}
