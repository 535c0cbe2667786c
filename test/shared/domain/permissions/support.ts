import { parseShell } from '../../../../electron/node/shell-syntax/parse-shell.ts';
import type { CallFacts, Decision } from '../../../../shared/domain/permissions/call-facts.ts';
import type { Platform } from '../../../../shared/domain/permissions/path-patterns.ts';
import { decide, type PolicyInput } from '../../../../shared/domain/permissions/policy.ts';
import {
  formatRule,
  parseRule,
  type RuleSource,
  type SourcedRule,
} from '../../../../shared/domain/permissions/rules.ts';
import { rulingOn } from '../../../../shared/domain/permissions/tool-rules.ts';
import type { SelfProtection } from '../../../../shared/domain/permissions/self-protection.ts';
import type { ShellFacts, ShellRedirect } from '../../../../shared/domain/permissions/shell-facts.ts';

/** The session works in `/home/u/w`; Kairos lives in `/home/u/.kairos` and listens on 4711. */
export const dir = '/home/u/w';
export const self: SelfProtection = {
  home: '/home/u/.kairos',
  scratch: '/home/u/.kairos/scratch',
  words: ['/home/u/.kairos', '~/.kairos', '.kairos', '4711'],
  person: { home: '/home/u', platform: 'linux' },
};

const blank: Pick<CallFacts, 'input' | 'cwd' | 'preimages' | 'preview' | 'description'> = {
  input: {},
  cwd: dir,
  preimages: [],
  preview: '',
  description: '',
};

/** A path as tests write it: from the session's directory unless it is absolute. */
export function at(path: string): string {
  const whole = path.startsWith('/') ? path : `${dir}/${path}`;
  return whole.replace(/\/\.$/, '');
}

/** Facts of a call as the worker would give them: `Read src/a.ts`, `Edit a -> b` (a link), `WebFetch host`, `Bash command`, `Tool subject`. */
export async function factsOf(call: string): Promise<CallFacts> {
  const [, tool = '', given = ''] = /^(\S+) ?([\s\S]*)$/.exec(call) ?? [];
  switch (tool) {
    case 'Read':
    case 'Glob':
    case 'Grep':
    case 'Edit':
    case 'Write':
    case 'MultiEdit':
      return fileFacts(tool, given.split(' -> ').map(at).toReversed());
    case 'WebFetch':
      return {
        ...blank,
        tool,
        class: 'pure',
        access: 'network',
        subject: `domain:${new URL(`http://${given}/`).hostname}`,
        paths: [],
      };
    case 'WebSearch':
      return { ...blank, tool, class: 'pure', access: 'network', subject: given, paths: [] };
    case 'Bash':
      return {
        ...blank,
        tool,
        class: 'blind',
        access: 'command',
        subject: given,
        paths: [],
        shell: await shellOf(given),
      };
    case 'SendUserMessage':
    case 'AskUserQuestion':
    case 'ExitPlanMode':
      return { ...blank, tool, class: 'local', access: 'person', subject: given, paths: [] };
    default:
      return { ...blank, tool, class: 'blind', access: 'network', subject: given, paths: [] };
  }
}

function fileFacts(tool: string, paths: string[]): CallFacts {
  const reads = tool === 'Read' || tool === 'Glob' || tool === 'Grep';
  const kind = reads
    ? ({ class: 'pure', access: 'read' } as const)
    : ({ class: 'blind', access: 'write' } as const);
  return { ...blank, tool, ...kind, subject: paths[0] ?? '', paths };
}

/** The real parser's words; where redirections lead is found as in a directory without links. */
async function shellOf(command: string): Promise<ShellFacts> {
  const facts = await parseShell(command, 'bash');
  if (facts.kind === 'unparsed') return facts;
  const placed = (redirects: readonly ShellRedirect[]): ShellRedirect[] =>
    redirects.map((redirect) =>
      redirect.target?.kind === 'literal' && redirect.access !== 'none'
        ? { ...redirect, paths: [at(redirect.target.text.replace(/^~/, '/home/u'))] }
        : redirect,
    );
  return {
    ...facts,
    redirects: placed(facts.redirects),
    parts: facts.parts.map((part) => ({ ...part, redirects: placed(part.redirects) })),
  };
}

/** Rules as `allow Bash(ls)`, of the source in front (`managed deny Read`) or of the person's settings; `base`: where `/path` begins. */
export function rulesOf(texts: readonly string[], base = dir): SourcedRule[] {
  return texts.flatMap((text): SourcedRule[] => {
    const [, source = 'settings', effect, rest = ''] =
      /^(?:(managed|command_line|project_local|project|settings|session|always) )?(allow|ask|deny) ([\s\S]*)$/.exec(
        text,
      ) ?? [];
    const { rule } = parseRule(effect as 'allow', rest);
    if (rule === null) throw new Error(`"${text}" is no rule.`);
    return [{ ...rule, id: null, source: source as RuleSource, base }];
  });
}

/** What the policy says of a call under rules; `more` changes the rest of the input. */
export async function decided(
  call: string,
  rules: readonly string[] = [],
  more: Partial<Omit<PolicyInput, 'facts' | 'rules'>> & { readonly facts?: Partial<CallFacts> } = {},
): Promise<Decision> {
  const facts = { ...(await factsOf(call)), ...more.facts };
  const ownScratch = `${self.scratch}/ses_1`;
  return decide({ mode: 'default', dir, self, ownScratch, rules: rulesOf(rules), ...more, facts });
}

/** The text of the rule that speaks about a call; null: none does. `base`: the project of the settings file. */
export async function spoken(
  call: string,
  rules: readonly string[],
  base = dir,
  platform: Platform = 'linux',
): Promise<string | null> {
  const parsed = rulesOf(rules, base);
  const places = { dir, home: '/home/u', platform };
  const effect = parsed[0]?.effect ?? 'allow';
  const rule = rulingOn(effect, await factsOf(call), parsed, places);
  return rule === null ? null : formatRule(rule);
}
