import { canonicalJson } from '../base/json.ts';
import type { ConfigFile, RuleTexts } from './config-file.ts';
import { type SandboxSection, sandboxModes } from './sandbox.ts';

/** What of the person's file decides about what runs; a change of anything else is nobody's concern here. */
export type DecidingParts = Pick<ConfigFile, 'permissions' | 'hooks' | 'projectAllow' | 'env' | 'sandbox'>;

/** Pure; the parts alone, in a form that is equal for files that let the same run. */
export function decidingParts(file: DecidingParts): DecidingParts {
  const { hooks, projectAllow, env, sandbox } = file;
  const { allow, ask, deny } = file.permissions;
  const permissions = { allow: unordered(allow), ask: unordered(ask), deny: unordered(deny) };
  const pass = env.pass.toSorted();
  return { permissions, hooks, projectAllow, env: { ...env, pass }, sandbox: normalSandbox(sandbox) };
}

/** Whether `now` lets anything run, see or reach that `accepted` does not; a removed hook or variable counts too. Pure. */
export function isLooser(accepted: DecidingParts, now: ConfigFile): boolean {
  return canonicalJson(decidingParts(heldConfig(accepted, now))) !== canonicalJson(decidingParts(now));
}

/** The file `now` as far as it is stricter than `accepted`, which holds for everything else. Pure. */
export function heldConfig(accepted: DecidingParts, now: ConfigFile): ConfigFile {
  return {
    ...now,
    permissions: strictestRules(accepted.permissions, now.permissions),
    hooks: accepted.hooks,
    projectAllow: accepted.projectAllow && now.projectAllow,
    env: {
      pass: both(accepted.env.pass, now.env.pass),
      set: accepted.env.set,
    },
    sandbox: strictestSandbox(accepted.sandbox, now.sandbox),
  };
}

/** Takes back what a rule before it in its list covers: of an allow it is stricter, of a deny or ask it is looser. */
function takesBack(rule: string): boolean {
  return /^\w+\(!/.test(rule);
}

/** The order counts only where rules take back what others cover. */
function unordered(rules: readonly string[]): readonly string[] {
  return rules.some(takesBack) ? rules : [...new Set(rules)].toSorted();
}

function strictestRules(accepted: RuleTexts, now: RuleTexts): RuleTexts {
  const demanded = (effect: 'ask' | 'deny'): string[] => {
    const before = accepted[effect];
    return [...before, ...added(before, now[effect]).filter((rule) => !takesBack(rule))];
  };
  const kept = accepted.allow.filter((rule) => takesBack(rule) || now.allow.includes(rule));
  const narrowed = added(accepted.allow, now.allow).filter(takesBack);
  return { deny: demanded('deny'), ask: demanded('ask'), allow: [...kept, ...narrowed] };
}

function added(before: readonly string[], now: readonly string[]): string[] {
  return now.filter((each) => !before.includes(each));
}

function both(left: readonly string[], right: readonly string[]): string[] {
  return left.filter((each) => right.includes(each));
}

function either(left: readonly string[], right: readonly string[]): string[] {
  return [...left, ...added(left, right)];
}

const nothingSaid: SandboxSection = {
  commands: [],
  exclude: [],
  network: { allow: [], deny: [] },
  filesystem: { write: [] },
};

function normalSandbox(section: SandboxSection | null): SandboxSection {
  const { mode, commands, exclude, network, filesystem, autoAllow } = section ?? nothingSaid;
  const { write, denyRead } = filesystem;
  return {
    ...(mode === undefined ? {} : { mode }),
    commands: commands.toSorted(),
    exclude: exclude.toSorted(),
    network: { allow: network.allow.toSorted(), deny: network.deny.toSorted() },
    filesystem: {
      write: write.toSorted(),
      ...(denyRead === undefined ? {} : { denyRead: denyRead.toSorted() }),
    },
    ...(autoAllow === undefined ? {} : { autoAllow }),
  };
}

function strictestSandbox(accepted: SandboxSection | null, now: SandboxSection | null): SandboxSection {
  const old = accepted ?? nothingSaid;
  const next = now ?? nothingSaid;
  const mode = sandboxModes.findLast((each) => old.mode === each || next.mode === each);
  const auto = old.autoAllow === next.autoAllow ? old.autoAllow : false;
  const hidden = old.filesystem.denyRead;
  return {
    ...(mode === undefined ? {} : { mode }),
    commands: either(old.commands, next.commands),
    exclude: both(old.exclude, next.exclude),
    network: {
      allow: both(old.network.allow, next.network.allow),
      deny: either(old.network.deny, next.network.deny),
    },
    filesystem: {
      write: both(old.filesystem.write, next.filesystem.write),
      // Without a list of one's own the folders with keys are hidden: a list takes their place.
      ...(hidden === undefined ? {} : { denyRead: either(hidden, next.filesystem.denyRead ?? []) }),
    },
    ...(auto === undefined ? {} : { autoAllow: auto }),
  };
}
