import { commandFacts } from '../../../electron/worker/tools/command-facts.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { decide } from '../../../shared/domain/permissions/policy.ts';
import { parseRule, type SourcedRule } from '../../../shared/domain/permissions/rules.ts';
import type { ShellFacts } from '../../../shared/domain/permissions/shell-facts.ts';
import type { World } from '../oracle/world.ts';
import type { Decider } from '../search.ts';
import type { RuleSet } from './rule-sets.ts';
import type { Sabotage } from './sabotages.ts';

/** The rules of a set as the product reads them from settings; throws where it does not take one as it is written. */
export function sourcedRules(set: RuleSet): readonly SourcedRule[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((effect) =>
    set[effect].map((text) => {
      const { rule, notice } = parseRule(effect, text);
      if (rule === null || notice !== null) throw new Error(`${text}: ${notice?.problem ?? 'no rule'}`);
      return { ...rule, id: null, source: 'settings' as const };
    }),
  );
}

/** What the product decides, from the facts that its worker gathers to the policy of its daemon. */
export function productDecider(world: World): Decider {
  return deciderOn(world, (command) => factsOf(command, world));
}

/** Gives, for a fault, a decider that is true only where the fault lets through what the product does not. */
export function sabotagedDeciders(world: World): (sabotage: Sabotage) => Decider {
  const known = new Map<string, Promise<ShellFacts>>();
  const gather = (command: string): Promise<ShellFacts> => {
    const found = known.get(command) ?? factsOf(command, world);
    known.set(command, found);
    return found;
  };
  const honest = deciderOn(world, gather);
  return ({ apply }) => {
    const faulty = deciderOn(world, async (command) => apply(await gather(command), command, world.work));
    const isTouched = async (command: string): Promise<boolean> => {
      const facts = await gather(command);
      return JSON.stringify(apply(facts, command, world.work)) !== JSON.stringify(facts);
    };
    return async (command, set) =>
      (await isTouched(command)) && (await faulty(command, set)) && !(await honest(command, set));
  };
}

async function factsOf(command: string, world: World): Promise<ShellFacts> {
  return commandFacts(command, world.work, { dir: world.work, home: noHome });
}

/** Kairos has no home in that world. */
const noHome = '/no-home-of-kairos';

function deciderOn(world: World, gather: (command: string) => Promise<ShellFacts>): Decider {
  const rules = new Map<RuleSet, readonly SourcedRule[]>();
  let [last, facts]: [string | null, ShellFacts | null] = [null, null];
  return async (command, set) => {
    if (command !== last || facts === null) [last, facts] = [command, await gather(command)];
    const own = rules.get(set) ?? sourcedRules(set);
    rules.set(set, own);
    const decision = decide({
      facts: callFacts(command, facts, world),
      mode: set.mode,
      dir: world.work,
      rules: own,
      self: {
        home: noHome,
        scratch: `${noHome}/scratch`,
        words: [],
        person: { home: world.home, platform: 'linux' },
      },
    });
    return decision.behavior === 'allow';
  };
}

function callFacts(command: string, shell: ShellFacts, { work }: World): CallFacts {
  return {
    tool: 'Bash',
    input: { command },
    class: 'blind',
    cwd: work,
    subject: command,
    access: 'command',
    paths: [],
    preimages: [],
    preview: command,
    description: '',
    shell,
  };
}
