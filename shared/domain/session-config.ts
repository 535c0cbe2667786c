import * as z from 'zod/mini';
import type { RuleNotice, RuleSource, SourcedRule } from './permissions/rules.ts';
import type { SandboxConfig, SandboxMode } from './sandbox.ts';

/** What hooks can be bound to. */
export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Notification',
  'WorktreeCreate',
  'WorktreeRemove',
  'CwdChanged',
  'FileChanged',
] as const;
/** What a hook can be bound to. */
export type HookEvent = (typeof hookEvents)[number];

/** A command that is run at an event; `timeout` in seconds. */
export const hookCommandSchema = z.object({
  type: z.literal('command'),
  command: z.string().check(z.minLength(1)),
  timeout: z.optional(z.number().check(z.positive(), z.lte(600))),
  /** What becomes of what it guards when it does not work; absent: it goes on. */
  onFailure: z.optional(z.enum(['continue', 'deny'])),
});
export type HookCommand = z.infer<typeof hookCommandSchema>;

/** Commands for the tools (or whatever the event names) that `matcher` matches; absent: for all. */
export const hookGroupSchema = z.object({
  matcher: z.optional(z.string()),
  hooks: z.array(hookCommandSchema),
});
export type HookGroup = z.infer<typeof hookGroupSchema>;

/** Section `hooks` of a settings file, as written. */
export const hooksSectionSchema = z.partialRecord(z.enum(hookEvents), z.array(hookGroupSchema));
export type HooksSection = z.infer<typeof hooksSectionSchema>;

/** Section `env`: names that tools get although they look like secrets, and variables of their own for tools. */
export const envSectionSchema = z.object({
  pass: z._default(z.array(z.string()), []),
  set: z._default(z.record(z.string(), z.string()), {}),
});
export type EnvSection = z.infer<typeof envSectionSchema>;

/** Hooks of one source that may run. Those of a project are here only while its directory is trusted. */
export interface SourcedHooks {
  readonly source: RuleSource;
  /** The project's directory (real path); null for hooks of the person or of the machine. */
  readonly dir: string | null;
  readonly hooks: HooksSection;
}

/** Executable configuration of a directory that nobody has decided on. */
export interface UntrustedConfig {
  /** Real path. */
  readonly dir: string;
  readonly digest: string;
  /** All of it as people read it; one line each, files at the margin, what they hold indented. */
  readonly config: string;
}

/** What the person's own file lets run beyond what holds: it changed while something of the agent could have written it. */
export interface HeldConfig extends UntrustedConfig {
  /** What holds in its place, as people read it. */
  readonly before: string;
  /** The owner said no, or let the question pass. */
  readonly isDecided: boolean;
}

/** A settings file that could not be taken as written: what is wrong, and what holds instead, one sentence. */
export interface ConfigNotice {
  readonly path: string;
  readonly notice: string;
}

/** A rule text that could not be taken as written; `file`: how people know where it stands. */
export interface SourcedRuleNotice extends RuleNotice {
  readonly file: string;
}

/** What settings of every source mean for one session at this moment; stored rules (`always`, `session`) are not in it. */
export interface SessionConfig {
  /** In the order of their sources: managed, command line, project local, project, user. */
  readonly rules: readonly SourcedRule[];
  readonly hooks: readonly SourcedHooks[];
  /** "allow" of a project's hook counts: the person or the administrator said so. */
  readonly projectHooksAllow: boolean;
  /** Files of the repository that these hooks name: protected (design 31); absent: none. */
  readonly hookFiles?: readonly string[];
  /** `set` holds the winner of each name. */
  readonly env: EnvSection;
  readonly sandbox: SandboxConfig;
  /** Stored rules do not hold either: only those of the machine's administrator. */
  readonly onlyManagedRules: boolean;
  /** The mode `bypassPermissions` counts as `default`. */
  readonly bypassDisabled: boolean;
  readonly ruleNotices: readonly SourcedRuleNotice[];
  readonly notices: readonly ConfigNotice[];
  /** What waits for a person's word; it does not hold. */
  readonly untrusted: readonly UntrustedConfig[];
  /** Changes of the person's own file that do not hold; absent: there are none. */
  readonly held?: HeldConfig;
}

/** The session as its configuration depends on it. */
export interface ConfiguredSession {
  readonly dir: string;
  readonly rules: Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>> | null;
  readonly sandbox: SandboxMode | null;
}

/** Reads what holds for a session now; never rejects: what cannot be read makes every tool ask. */
export type ReadSessionConfig = (session: ConfiguredSession) => Promise<SessionConfig>;
