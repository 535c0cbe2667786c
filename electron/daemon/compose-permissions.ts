import { homedir } from 'node:os';
import { join } from 'node:path';
import { KairosError } from '../../shared/base/errors.ts';
import { visibleText } from '../../shared/base/visible-text.ts';
import { decide, type PolicyInput } from '../../shared/domain/permissions/policy.ts';
import { formatRule, type SourcedRule } from '../../shared/domain/permissions/rules.ts';
import type { AnsweredBy } from '../../shared/domain/prompts.ts';
import type { SessionConfig } from '../../shared/domain/session-config.ts';
import type { PermissionMode } from '../../shared/domain/sessions.ts';
import type { FactsAnswer, FactsJob } from '../../shared/protocol/facts-job.ts';
import type {
  ExplainAnswer,
  ExplainBody,
  StandingAnswer,
  StandingRule,
  TrustView,
} from '../../shared/protocol/permissions.ts';
import { systemClock } from '../node/clock.ts';
import { maskLiteralSecrets } from '../node/mask-secrets.ts';
import { sha256 } from './compose-parts.ts';
import type { Core } from './compose.ts';
import type { RuleRow, SessionRow, TrustRow } from './events/rows.ts';
import { standingRules } from './sessions/standing-rules.ts';
import { type SessionConfigPorts, SessionConfigs } from './settings/session-config.ts';
import { trustPreview } from './settings/trust-text.ts';
import type { PermissionCommands } from './viewers/ports.ts';

/** What the commands about rules and trust work with. */
export interface PermissionParts {
  readonly core: Pick<Core, 'store' | 'policy'>;
  readonly configs: Pick<SessionConfigs, 'read' | 'executables'>;
  readonly gatherFacts: (job: FactsJob) => Promise<FactsAnswer>;
  readonly checkDir: (dir: string) => Promise<string>;
  readonly defaultMode: PermissionMode;
  readonly managedFile: string;
  readonly userFile: string;
}

/** The reader of settings of every source, on this machine; `home`: real path of Kairos's own. */
export function makeConfigs(
  places: Pick<SessionConfigPorts, 'store' | 'managedFile' | 'userFile' | 'home'>,
): SessionConfigs {
  return new SessionConfigs({ ...places, clock: systemClock, sha256, personHome: homedir() });
}

/** Where rules are looked at: a session, or a directory in which none works yet. */
interface Place {
  readonly row: Pick<SessionRow, 'dir' | 'mode' | 'rules' | 'sandbox'>;
  readonly session: SessionRow | null;
}

/** What people may ask about rules and trust, and change of trust. */
export function permissionCommands(parts: PermissionParts): PermissionCommands {
  const { store } = parts.core;
  return {
    standing: async (at) => standing(parts, await look(parts, at)),
    explain: (body) => explain(parts, body),
    trustOf: async (dir) => {
      const found = await parts.configs.executables(dir);
      return Promise.all(found.map(async (own) => trustView(own, await store.trust(own.dir))));
    },
    trusts: () => store.trusts(),
    setTrust: (input, by) => setTrust(parts, input, by),
    revokeTrust: async (dir, by) => {
      if (dir === parts.core.policy.self.home) throw ownFile();
      return store.revokeTrust(dir, by);
    },
  };
}

/** What holds of it is what was accepted; there is nothing to fall back on. */
function ownFile(): KairosError {
  return new KairosError('bad_input', 'Your own settings are not taken back like those of a project.', {
    next: 'Take out of settings.json what shall not hold; that holds at once.',
  });
}

/** Foreign text as people read it: nothing hides in it, and it gives no secret away. */
function shown(text: string): string {
  return maskLiteralSecrets(visibleText(text));
}

interface Looked extends Place {
  readonly config: SessionConfig;
  readonly stored: readonly RuleRow[];
  readonly rules: readonly SourcedRule[];
  readonly mode: PermissionMode;
}

async function look(
  parts: PermissionParts,
  at: { readonly session?: string | undefined; readonly dir?: string | undefined },
): Promise<Looked> {
  const place = await placeOf(parts, at);
  const config = await parts.configs.read(place.row);
  const stored = await parts.core.store.rules(place.session?.id ?? null);
  return { ...place, config, stored, ...standingRules(place.row, config, stored) };
}

async function placeOf(
  { core, checkDir, defaultMode }: PermissionParts,
  { session, dir }: { readonly session?: string | undefined; readonly dir?: string | undefined },
): Promise<Place> {
  if (session === undefined) {
    if (dir === undefined)
      throw new KairosError('bad_input', 'Neither a session nor a directory is named.', {
        next: 'Name one of them.',
      });
    const row = { dir: await checkDir(dir), mode: defaultMode, rules: null, sandbox: null };
    return { row, session: null };
  }
  const row = await core.store.session(session);
  if (row) return { row, session: row };
  throw new KairosError('not_found', `There is no session ${session}.`, {
    next: 'List them with: kairos sessions',
  });
}

function standing(parts: PermissionParts, looked: Looked): StandingAnswer {
  const { row, session, config, mode, rules } = looked;
  return {
    dir: row.dir,
    session: session?.id ?? null,
    mode,
    rules: rules.map((rule) => ruleView(parts, looked, rule)),
    onlyManagedRules: config.onlyManagedRules,
    notices: noticesOf(config),
    untrusted: config.untrusted.map(({ dir }) => dir),
  };
}

function noticesOf({ notices, ruleNotices }: SessionConfig): string[] {
  const ofRules = ruleNotices.map(({ file, notice }) => `${file}: ${notice}`);
  return [...notices.map(({ notice }) => notice), ...ofRules].map(shown);
}

function ruleView(parts: PermissionParts, { session, stored }: Looked, rule: SourcedRule): StandingRule {
  const row = stored.find(({ id }) => id === rule.id);
  const isOwn = rule.source === 'command_line' || (row !== undefined && row.session !== null);
  return {
    id: rule.id,
    effect: rule.effect,
    rule: shown(formatRule(rule)),
    source: rule.source,
    file: fileOf(parts, rule),
    session: isOwn ? (session?.id ?? null) : null,
    sessionName: isOwn ? (session?.name ?? null) : null,
    createdAt: row?.createdAt ?? null,
  };
}

function fileOf({ managedFile, userFile }: PermissionParts, { source, base }: SourcedRule): string | null {
  switch (source) {
    case 'managed':
      return managedFile;
    case 'settings':
      return userFile;
    case 'project':
    case 'project_local':
      return join(base ?? '', '.kairos', source === 'project' ? 'settings.json' : 'settings.local.json');
    case 'command_line':
    case 'always':
    case 'session':
      return null;
  }
}

async function explain(parts: PermissionParts, body: ExplainBody): Promise<ExplainAnswer> {
  const looked = await look(parts, body);
  const { row, session, config, rules } = looked;
  const { self } = parts.core.policy;
  const ownScratch = `${self.scratch}/${session?.id ?? 'none'}`;
  const found = await parts.gatherFacts({
    tool: body.tool,
    input: body.input.kind === 'json' ? { kind: 'json', value: body.input.value } : body.input,
    dir: row.dir,
    home: self.home,
    scratch: ownScratch,
    sandbox: config.sandbox,
  });
  if (found.kind === 'bad') return found;
  const { facts } = found;
  const mode = standingRules({ mode: body.mode ?? row.mode }, config, []).mode;
  const { autoAllow: sandboxAutoAllow } = config.sandbox;
  const { hookFiles = [] } = config;
  const places = { dir: row.dir, ownScratch, self, hookFiles };
  const input: PolicyInput = { facts, mode, rules, sandboxAutoAllow, ...places };
  const decision = decide(input);
  const named = rules.find((rule) => decision.rule === formatRule(rule) && decision.by === byOf(rule));
  return {
    kind: 'decided',
    behavior: decision.behavior,
    by: decision.by,
    rule: named === undefined ? null : ruleView(parts, looked, named),
    reason: decision.reason === undefined ? null : shown(decision.reason),
    mode,
    dir: row.dir,
    session: session?.id ?? null,
    access: facts.access,
    subject: shown(facts.subject),
    paths: facts.paths.map(shown),
    sandboxed: facts.sandboxed === true,
    untrusted: config.untrusted.map(({ dir }) => dir),
  };
}

/** How the policy names a rule that decides. */
function byOf({ source }: SourcedRule): string {
  return `rule (${source})`;
}

interface Found {
  readonly dir: string;
  readonly digest: string;
  readonly config: string;
  /** What holds in its place; absent: what was said about the directory before. */
  readonly before?: string;
}

function trustView({ dir, digest, config, before }: Found, word: TrustRow | null): TrustView {
  const isAbout = word?.digest === digest;
  return {
    dir,
    digest,
    state: isAbout ? (word.trusted ? 'trusted' : 'refused') : 'open',
    preview: trustPreview(config, before ?? (isAbout ? null : (word?.config ?? null))),
    at: isAbout ? word.at : null,
    by: isAbout ? word.by : null,
  };
}

/** Only what was shown is trusted: the digest has to be that of what is there now. */
async function setTrust(
  { core, configs }: PermissionParts,
  { dir, digest, trusted }: { dir: string; digest: string; trusted: boolean },
  by: AnsweredBy,
): Promise<void> {
  const found = (await configs.executables(dir)).find((own) => own.digest === digest);
  if (!found)
    throw new KairosError('stale', 'The configuration of the directory is not what was shown.', {
      next: 'See what is there now: kairos trust',
    });
  await core.store.setTrust({ ...found, trusted, by });
}
