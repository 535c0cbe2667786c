import * as z from 'zod/mini';
import { errorMessage } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { oneLine } from '../base/visible-text.ts';
import { readHooksSection } from './hooks/section.ts';
import { type SandboxSection, sandboxSectionSchema } from './sandbox.ts';
import { type EnvSection, envSectionSchema, type HooksSection } from './session-config.ts';

/** Whose file it is: the administrator's, the person's, or a project's (which others may have written). */
export type ConfigFileKind = 'managed' | 'user' | 'project';

/** Rule texts of one file. */
export type RuleTexts = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;

/** What a settings file says about sessions while they run; everything of it may change under a running session. */
export interface ConfigFile {
  readonly permissions: RuleTexts;
  readonly hooks: HooksSection;
  /** Hooks of projects may say "allow"; never of a project's file. */
  readonly projectAllow: boolean;
  readonly env: EnvSection;
  readonly sandbox: SandboxSection | null;
  /** Only of the managed file. */
  readonly onlyManagedRules: boolean;
  readonly onlyManagedHooks: boolean;
  readonly disableBypass: boolean;
  /** Deny and ask rules of it cannot be known: everything asks. Nothing that loosens holds. */
  readonly closed: boolean;
  /** One sentence each: what was not taken, why, and what holds instead. */
  readonly notices: readonly string[];
}

/** A file that is absent or says nothing. */
export const emptyConfigFile: ConfigFile = {
  permissions: { allow: [], ask: [], deny: [] },
  hooks: {},
  projectAllow: false,
  env: { pass: [], set: {} },
  sandbox: null,
  onlyManagedRules: false,
  onlyManagedHooks: false,
  disableBypass: false,
  closed: false,
  notices: [],
};

/** A file that cannot be known: `why` follows its name ("is not valid JSON"). */
export function closedConfigFile(name: string, why: string): ConfigFile {
  return { ...emptyConfigFile, closed: true, notices: [`${name} ${why}: ${untilMended}`] };
}

const untilMended =
  'every tool asks until it is mended, but those that keep to the conversation or stop a background task.';

/** Sections that a project may carry. */
const projectSections: readonly string[] = ['permissions', 'hooks', 'env', 'sandbox'];

const ruleTextsSchema = z.object({
  allow: z._default(z.array(z.string()), []),
  ask: z._default(z.array(z.string()), []),
  deny: z._default(z.array(z.string()), []),
});

/** Reads the text of a settings file; `name` is how people know it. What cannot be read closes it, never opens it. Never throws. */
export function parseConfigFile(text: string, kind: ConfigFileKind, name: string): ConfigFile {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    return closedConfigFile(name, `is not valid JSON (${oneLine(errorMessage(error), 120)})`);
  }
  if (!isObject(file)) return closedConfigFile(name, 'is not a JSON object');
  const notices: string[] = kind === 'project' ? foreignNotices(file, name) : [];
  const rules = ruleTextsSchema.safeParse(file.permissions ?? {});
  if (!rules.success) return closedConfigFile(name, `has a broken section "permissions"`);
  if (file.hooks !== undefined && !isObject(file.hooks))
    return closedConfigFile(name, 'has a broken section "hooks"');
  const sandbox = sandboxSectionSchema.safeParse(file.sandbox ?? {});
  if (!sandbox.success) return closedConfigFile(name, 'has a broken section "sandbox"');
  const managedOnly = readManagedOnly(file, kind, name, notices);
  const { hooks, projectAllow, notices: hookNotices } = readHooksSection(withoutOnlyManaged(file.hooks));
  notices.push(...hookNotices.map((notice) => `${name}: ${notice}`));
  if (kind === 'project' && projectAllow)
    notices.push(`${name}: hooks.projectAllow counts in your own settings only: ignored.`);
  return {
    permissions: rules.data,
    hooks,
    projectAllow: projectAllow && kind !== 'project',
    env: readEnv(file.env, name, notices),
    sandbox: file.sandbox === undefined ? null : sandbox.data,
    ...managedOnly,
    closed: false,
    notices,
  };
}

function foreignNotices(file: Record<string, unknown>, name: string): string[] {
  const foreign = Object.keys(file).filter((key) => !projectSections.includes(key) && key !== '$schema');
  if (foreign.length === 0) return [];
  const list = foreign.map((key) => `"${oneLine(key, 40)}"`).join(', ');
  return [
    `${name}: ${oneLine(list, 200)} cannot be set by a project: ignored. It may hold ${projectSections.join(', ')}.`,
  ];
}

type ManagedOnly = Pick<ConfigFile, 'onlyManagedRules' | 'onlyManagedHooks' | 'disableBypass'>;

/** What only the administrator may say; a wrong type there counts as said, elsewhere it is named and ignored. */
function readManagedOnly(
  file: Record<string, unknown>,
  kind: ConfigFileKind,
  name: string,
  notices: string[],
): ManagedOnly {
  const permissions = isObject(file.permissions) ? file.permissions : {};
  const hooks = isObject(file.hooks) ? file.hooks : {};
  const said = {
    'permissions.onlyManagedRules': permissions.onlyManagedRules,
    'hooks.onlyManaged': hooks.onlyManaged,
    'permissions.disableBypassPermissions': permissions.disableBypassPermissions,
  };
  const holds = (key: keyof typeof said): boolean =>
    kind === 'managed' && said[key] !== undefined && said[key] !== false;
  if (kind !== 'managed') {
    for (const [key, value] of Object.entries(said))
      if (value !== undefined) notices.push(`${name}: "${key}" counts in managed settings only: ignored.`);
  }
  return {
    onlyManagedRules: holds('permissions.onlyManagedRules'),
    onlyManagedHooks: holds('hooks.onlyManaged'),
    disableBypass: holds('permissions.disableBypassPermissions'),
  };
}

function withoutOnlyManaged(section: unknown): unknown {
  if (!isObject(section)) return section;
  const { onlyManaged, ...hooks } = section;
  return hooks;
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A broken section is left out: without it tools have fewer variables. Our own variables belong to nobody's settings. */
function readEnv(section: unknown, name: string, notices: string[]): EnvSection {
  const parsed = envSectionSchema.safeParse(section ?? {});
  if (!parsed.success) {
    notices.push(`${name} has a broken section "env": ignored.`);
    return emptyConfigFile.env;
  }
  const others = Object.keys(isObject(section) ? section : {}).filter(
    (key) => key !== 'pass' && key !== 'set',
  );
  if (others.length > 0) {
    const list = oneLine(others.map((key) => `"${oneLine(key, 40)}"`).join(', '), 200);
    notices.push(
      `${name}: "env" holds ${list} itself: ignored. Variables stand in env.set, as in {"env": {"set": {"NAME": "value"}}}.`,
    );
  }
  const refused = Object.keys(parsed.data.set).filter(
    (variable) => !variableName.test(variable) || variable.toUpperCase().startsWith('KAIROS_'),
  );
  for (const variable of refused)
    notices.push(`${name}: env.set cannot set "${oneLine(variable, 60)}": ignored.`);
  const set = Object.entries(parsed.data.set).filter(([variable]) => !refused.includes(variable));
  return { pass: parsed.data.pass, set: Object.fromEntries(set) };
}

/** What of a file is executable configuration, which holds in a project only while a person trusts it; null: nothing. */
export function executableParts(file: ConfigFile): Record<string, unknown> | null {
  const { permissions, hooks, env, sandbox } = file;
  const loosening = sandbox === null ? null : looseningParts(sandbox);
  const parts: Record<string, unknown> = {
    ...(permissions.allow.length === 0 ? {} : { allow: permissions.allow }),
    ...(Object.keys(hooks).length === 0 ? {} : { hooks }),
    ...(env.pass.length === 0 && Object.keys(env.set).length === 0 ? {} : { env }),
    ...(loosening === null ? {} : { sandbox: loosening }),
  };
  return Object.keys(parts).length === 0 ? null : parts;
}

/** What of a sandbox section lets something through; a demand for a sandbox and what it hides hold without trust. */
function looseningParts(section: SandboxSection): Partial<SandboxSection> | null {
  const { mode, network, filesystem, exclude, autoAllow } = section;
  const parts: Record<string, unknown> = {
    ...(mode === 'off' ? { mode } : {}),
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(network.allow.length === 0 ? {} : { network: { allow: network.allow } }),
    ...(filesystem.write.length === 0 ? {} : { filesystem: { write: filesystem.write } }),
    ...(autoAllow === undefined ? {} : { autoAllow }),
  };
  return Object.keys(parts).length === 0 ? null : (parts as Partial<SandboxSection>);
}

/** The file of a project that nobody trusts: what denies, asks and shuts in holds, nothing else. */
export function restrainedFile(file: ConfigFile): ConfigFile {
  const { permissions, sandbox } = file;
  return {
    ...file,
    permissions: { ...permissions, allow: [] },
    hooks: {},
    env: emptyConfigFile.env,
    sandbox: sandbox === null ? null : restrainedSandbox(sandbox),
  };
}

function restrainedSandbox({ mode, network, filesystem, commands }: SandboxSection): SandboxSection {
  const { denyRead } = filesystem;
  return {
    ...(mode === undefined || mode === 'off' ? {} : { mode }),
    commands,
    exclude: [],
    network: { allow: [], deny: network.deny },
    filesystem: { write: [], ...(denyRead === undefined ? {} : { denyRead }) },
  };
}
