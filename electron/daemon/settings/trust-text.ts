import { diffLines } from 'diff';
import { canonicalJson, isObject } from '../../../shared/base/json.ts';
import type { Sha256 } from '../../../shared/base/ports.ts';
import { visibleText } from '../../../shared/base/visible-text.ts';
import { type ConfigFile, executableParts } from '../../../shared/domain/config-file.ts';
import type { DecidingParts } from '../../../shared/domain/held-config.ts';
import type { SandboxSection } from '../../../shared/domain/sandbox.ts';
import { maskLiteralSecrets } from '../../node/mask-secrets.ts';

/**
 * What a project directory holds that could run or let something run. `mcp`: the text of `.mcp.json`, null when it has none.
 * `scripts`: files of the repository that its hooks name.
 */
export interface ProjectFiles {
  readonly project: ConfigFile;
  readonly local: ConfigFile;
  readonly mcp: string | null;
  readonly scripts: readonly { readonly path: string; readonly content: string; readonly isRead: boolean }[];
}

/** Executable configuration of one directory: what is trusted, and what a person reads of it. */
export interface Executable {
  readonly digest: string;
  readonly config: string;
}

const names = { project: '.kairos/settings.json', local: '.kairos/settings.local.json', mcp: '.mcp.json' };

/** The executable configuration of a directory; null when it has none. Equal configuration gives an equal digest. */
export function executableConfig(files: ProjectFiles, sha256: Sha256): Executable | null {
  const project = executableParts(files.project);
  const local = executableParts(files.local);
  const mcp = files.mcp === null ? null : mcpValue(files.mcp);
  if (project === null && local === null && mcp === null) return null;
  const named = files.scripts.map(({ path, content }) => [path, content]);
  const scripts = named.length === 0 ? {} : { scripts: named };
  const digest = sha256(canonicalJson({ version: 1, project, local, mcp, ...scripts }));
  const blocks = [
    ...block(names.project, project === null ? [] : [...linesOf(files.project), ...notTaken(files.project)]),
    ...block(names.local, local === null ? [] : [...linesOf(files.local), ...notTaken(files.local)]),
    ...block(names.mcp, mcp === null ? [] : mcpLines(mcp)),
    ...block(scriptsName, files.scripts.map(scriptLine)),
  ];
  return { digest, config: blocks.join('\n') };
}

/** What stands in the file and does not hold; no part of what is trusted. */
function notTaken({ notices }: ConfigFile): string[] {
  return notices.map((notice) => `not taken: ${notice}`);
}

/** Below it each with what is in it: what they start or read in themselves is not looked at. */
const scriptsName = 'files that its hooks name (not what these start or read in themselves)';

function scriptLine({ path, content, isRead }: ProjectFiles['scripts'][number]): string {
  return isRead
    ? `script ${path}, content ${content.slice(0, 12)}`
    : `script ${path}, too large or elsewhere: known by its times`;
}

function block(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [name, ...lines.map((line) => `  ${readable(line)}`)];
}

/** One line of whatever it is: nothing of it can look like a line of ours. */
function readable(text: string): string {
  return maskLiteralSecrets(visibleText(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t')));
}

/** Null for a file without servers: there is nothing in it to trust. */
function mcpValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value.mcpServers)) return value;
    return Object.keys(value.mcpServers).length === 0 ? null : value;
  } catch {
    // Not JSON: nothing starts from it, but what it becomes has to be asked about.
    return text.trim() === '' ? null : text;
  }
}

function mcpLines(value: unknown): string[] {
  const servers = isObject(value) && isObject(value.mcpServers) ? Object.entries(value.mcpServers) : [];
  if (servers.length === 0) return [canonicalJson(value)];
  return servers.map(([name, server]) => `server ${name}: ${canonicalJson(server)}`);
}

function linesOf({ permissions, hooks, env, sandbox }: DecidingParts): string[] {
  const hookLines = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: commands }) =>
      commands.map(({ command }) => `hook ${event}${matcher === undefined ? '' : ` ${matcher}`}: ${command}`),
    ),
  );
  return [
    ...permissions.allow.map((rule) => `allow ${rule}`),
    ...hookLines,
    ...env.pass.map((name) => `env ${name} (passed on from your environment)`),
    ...Object.entries(env.set).map(([name, value]) => `env ${name}=${value}`),
    ...(sandbox === null ? [] : sandboxLines(sandbox)),
  ];
}

function sandboxLines({ mode, commands, exclude, network, filesystem, autoAllow }: SandboxSection): string[] {
  const asked = autoAllow === true ? 'runs without a question' : 'asks';
  return [
    ...(mode === undefined
      ? []
      : [
          mode === 'off' ? 'mode off: commands run outside of it' : `runs in it: all commands (mode ${mode})`,
        ]),
    ...commands.map((rule) => `runs in it: ${rule}`),
    ...exclude.map((rule) => `runs outside of it: ${rule}`),
    ...network.allow.map((host) => `may reach ${host}`),
    ...network.deny.map((host) => `cannot reach ${host}`),
    ...filesystem.write.map((path) => `may write to ${path}`),
    ...(filesystem.denyRead ?? []).map((path) => `hides ${path}`),
    ...(autoAllow === undefined ? [] : [`what runs in it ${asked}`]),
  ].map((words) => `sandbox: ${words}`);
}

const changedSince = 'Changed since you decided on it the last time:';

/** What a person reads before trusting a directory: all of it, and then what changed. `before`: what was shown the last time. */
export function trustPreview(config: string, before: string | null): string {
  if (before === null) return config;
  const changes = diffLines(`${configOf(before)}\n`, `${config}\n`).flatMap(({ value, added, removed }) => {
    if (!added && !removed) return [];
    const sign = added ? '+' : '-';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `  ${sign} ${line}`);
  });
  return changes.length === 0 ? config : [config, changedSince, ...changes].join('\n');
}

/** The configuration alone, of what was shown. */
export function configOf(preview: string): string {
  const lines = preview.split('\n');
  const end = lines.indexOf(changedSince);
  return (end === -1 ? lines : lines.slice(0, end)).join('\n');
}

/** What the person's own file says about what runs, as a person reads it. */
export function ownConfigText(file: DecidingParts): string {
  const { deny, ask } = file.permissions;
  const lines = [
    ...deny.map((rule) => `deny ${rule}`),
    ...ask.map((rule) => `ask ${rule}`),
    ...linesOf(file),
    ...(file.projectAllow ? ['hooks of projects may allow'] : []),
  ];
  return ['settings.json', ...lines.map((line) => `  ${readable(line)}`)].join('\n');
}
