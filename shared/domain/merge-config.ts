import type { ConfigFile, RuleTexts } from './config-file.ts';
import { parseRule, type RuleSource, type SourcedRule } from './permissions/rules.ts';
import { mergeSandbox } from './sandbox.ts';
import type {
  ConfiguredSession,
  SessionConfig,
  SourcedRuleNotice,
  UntrustedConfig,
} from './session-config.ts';

/** A settings file with where it comes from; `dir` null: not of a project. */
export interface SourcedFile {
  readonly source: Extract<RuleSource, 'managed' | 'project_local' | 'project' | 'settings'>;
  readonly path: string;
  /** How people know it: its path, or `settings.json` for their own. */
  readonly name: string;
  readonly dir: string | null;
  /** Already restrained where nobody trusts it. */
  readonly file: ConfigFile;
}

/** Everything a session's configuration follows from; files in the order of their sources, managed first. */
export interface MergeInput {
  readonly files: readonly SourcedFile[];
  readonly session: ConfiguredSession;
  readonly untrusted: readonly UntrustedConfig[];
}

/** Rules of all files and of the command line in the order of their sources; single values from the first that says them. Pure. */
export function mergeConfig({ files, session, untrusted }: MergeInput): SessionConfig {
  const managed = files.find(({ source }) => source === 'managed');
  const onlyManagedRules = managed?.file.onlyManagedRules === true;
  const onlyManagedHooks = managed?.file.onlyManagedHooks === true;
  const parsed = ruleSources(files, session).flatMap((source) => readRules(source));
  const rules = parsed.flatMap(({ rule }) => (rule === null ? [] : [rule]));
  return {
    rules: onlyManagedRules ? rules.filter(holdsBesideManaged) : rules,
    hooks: files
      .filter(({ source, file }) => hasHooks(file) && (!onlyManagedHooks || source === 'managed'))
      .map(({ source, dir, file }) => ({ source, dir, hooks: file.hooks })),
    projectHooksAllow: files.some(({ file }) => file.projectAllow),
    env: {
      pass: [...new Set(files.flatMap(({ file }) => file.env.pass))],
      set: Object.assign({}, ...files.toReversed().map(({ file }) => file.env.set)) as Record<string, string>,
    },
    sandbox: mergeSandbox(
      files.flatMap(({ source, file }) => (file.sandbox === null ? [] : [{ source, section: file.sandbox }])),
      session.sandbox,
    ),
    onlyManagedRules,
    bypassDisabled: managed?.file.disableBypass === true,
    ruleNotices: parsed.flatMap(({ notice }) => (notice === null ? [] : [notice])),
    notices: files.flatMap(({ path, file }) => file.notices.map((notice) => ({ path, notice }))),
    untrusted,
  };
}

function hasHooks({ hooks }: ConfigFile): boolean {
  return Object.keys(hooks).length > 0;
}

/** Where only the administrator allows, others may still demand more than that. */
function holdsBesideManaged({ source, effect }: SourcedRule): boolean {
  return source === 'managed' || effect !== 'allow';
}

interface RuleTextsOf {
  readonly source: RuleSource;
  readonly name: string;
  readonly base: string | null;
  readonly texts: RuleTexts;
  readonly closed: boolean;
}

function ruleSources(files: readonly SourcedFile[], session: ConfiguredSession): readonly RuleTextsOf[] {
  const of = ({ source, name, dir, file }: SourcedFile): RuleTextsOf => ({
    source,
    name,
    base: dir,
    texts: file.permissions,
    closed: file.closed,
  });
  const line: RuleTextsOf[] =
    session.rules === null
      ? []
      : [
          {
            source: 'command_line',
            name: 'the command line',
            base: session.dir,
            texts: session.rules,
            closed: false,
          },
        ];
  const managed = files.filter(({ source }) => source === 'managed');
  const others = files.filter(({ source }) => source !== 'managed');
  return [...managed.map(of), ...line, ...others.map(of)];
}

interface ReadRule {
  readonly rule: SourcedRule | null;
  readonly notice: SourcedRuleNotice | null;
}

/** A file whose own rules cannot be known makes everything ask. */
function readRules({ source, name, base, texts, closed }: RuleTextsOf): ReadRule[] {
  const place = base === null ? {} : { base };
  const read = (effect: SourcedRule['effect'], list: readonly string[]): ReadRule[] =>
    list.map((text) => {
      const { rule, notice } = parseRule(effect, text);
      return {
        rule: rule && { ...rule, id: null, source, ...place },
        notice: notice && { ...notice, file: name },
      };
    });
  const ask = closed ? ['*'] : texts.ask;
  return [...read('deny', texts.deny), ...read('ask', ask), ...read('allow', texts.allow)];
}
