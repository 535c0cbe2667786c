import * as z from 'zod/mini';
import { foundAttachmentSchema, lostAttachmentSchema } from '../attachments.ts';
import { effectClassSchema } from '../effects.ts';
import type { PermissionMode } from '../sessions.ts';
import { formatRule, rulesTool, type SourcedRule } from './rules.ts';
import { shellFactsSchema } from './shell-facts.ts';

/** What the worker found out about a call before anything runs; the policy decides on it and the digest covers it. */
export const callFactsSchema = z.object({
  tool: z.string(),
  /** The input after hooks; JSON. */
  input: z.unknown(),
  class: effectClassSchema,
  /** Absolute real path the call runs in. */
  cwd: z.string(),
  /** What an exact rule is held against: the whole command, or the absolute real path. */
  subject: z.string(),
  /** `command`: runs a shell; `read`/`write`: touches `paths`; `network`: reads from a host; `person`: only talks to the person. */
  access: z.enum(['command', 'read', 'write', 'network', 'person']),
  /** Real paths touched; empty for commands. */
  paths: z.array(z.string()),
  /** Files whose content is part of what is shown, with their SHA-256 (null = absent). */
  preimages: z.array(z.object({ path: z.string(), sha256: z.nullable(z.string()) })),
  /** What a person has to see before allowing: the command, or path and diff. */
  preview: z.string(),
  /** The model's own label; may be empty. */
  description: z.string(),
  /** What a command consists of; only with access `command`. */
  shell: z.optional(shellFactsSchema),
  /** What a PreToolUse hook said; deny and ask rules hold all the same. `by` names the hook for people. */
  hook: z.optional(
    z.object({ behavior: z.enum(['allow', 'ask', 'deny']), reason: z.string(), by: z.string() }),
  ),
  /** The command runs shut in (behaviour 4, sandbox). */
  sandboxed: z.optional(z.boolean()),
  /** Files that go with a message: stored ones, and those that could not be. */
  files: z.optional(z.object({ found: z.array(foundAttachmentSchema), lost: z.array(lostAttachmentSchema) })),
});
export type CallFacts = z.infer<typeof callFactsSchema>;

/** What protects Kairos from its own agent (design 30). Real, absolute paths without a trailing slash. */
export interface SelfProtection {
  readonly home: string;
  readonly scratch: string;
  /** Texts that make a command ask in every mode: the home as people write it, the port. */
  readonly words: readonly string[];
}

/** Everything a decision follows from; rules of every source, in their order. */
export interface PolicyInput {
  readonly facts: CallFacts;
  readonly mode: PermissionMode;
  /** Real path of the session's directory. */
  readonly dir: string;
  /** Real path of the session's own scratch folder: long outputs and downloads of its tools, which it reads unasked. */
  readonly ownScratch?: string;
  readonly rules: readonly SourcedRule[];
  readonly self: SelfProtection;
}

/** What the policy says, and which rule or reason said so (shown to people and stored with the call). */
export const decisionSchema = z.object({
  behavior: z.enum(['allow', 'ask', 'deny']),
  by: z.string(),
  rule: z.nullable(z.string()),
});
export type Decision = z.infer<typeof decisionSchema>;

/** Deny before ask before allow; self-protection and ask rules hold in every mode. Pure: CLI and window preview with it. */
export function decide(input: PolicyInput): Decision {
  return (
    denySelf(input) ??
    byRule(input, 'deny') ??
    askSelf(input) ??
    byRule(input, 'ask') ??
    byRule(input, 'allow') ??
    byMode(input)
  );
}

function byRule(input: PolicyInput, effect: SourcedRule['effect']): Decision | null {
  const rule = input.rules.find(
    (candidate) => candidate.effect === effect && matches(candidate, input.facts),
  );
  return rule ? { behavior: effect, by: `rule (${rule.source})`, rule: formatRule(rule) } : null;
}

function matches(rule: SourcedRule, facts: CallFacts): boolean {
  if (rule.tool === '*') return facts.access !== 'person';
  return rulesTool(rule.tool, facts.tool) && (rule.subject === null || rule.subject === facts.subject);
}

/** True when `path` is `folder` or lies in it. Both real and absolute. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function denySelf({ facts, self }: PolicyInput): Decision | null {
  const inHome = facts.paths.some((path) => isInside(path, self.home) && !isInside(path, self.scratch));
  return inHome
    ? { behavior: 'deny', by: 'Kairos keeps its own home closed to its agent', rule: null }
    : null;
}

function askSelf({ facts, self }: PolicyInput): Decision | null {
  if (facts.access !== 'command') return null;
  const command = facts.subject.toLowerCase();
  const named = ['kairos', ...self.words].some((word) => word !== '' && command.includes(word.toLowerCase()));
  return named ? { behavior: 'ask', by: 'the command names Kairos, its home or its port', rule: null } : null;
}

function byMode({ facts, mode, dir, ownScratch }: PolicyInput): Decision {
  if (facts.access === 'person') return { behavior: 'allow', by: 'talks only to the person', rule: null };
  if (mode === 'bypassPermissions') return { behavior: 'allow', by: 'mode bypassPermissions', rule: null };
  const readable = (path: string): boolean =>
    isInside(path, dir) || (ownScratch !== undefined && isInside(path, ownScratch));
  const readsInside = facts.access === 'read' && facts.paths.every(readable);
  if (readsInside) return { behavior: 'allow', by: 'reads inside the session directory', rule: null };
  return { behavior: 'ask', by: 'mode default', rule: null };
}
