import * as z from 'zod/mini';
import type { RuleSource } from './permissions/rules.ts';

/** Whether shells run shut in: `required` = without a sandbox nothing runs in a shell. From weakest to strictest. */
export const sandboxModes = ['off', 'on', 'required'] as const;
/** The modes as settings and the command line write them. */
export const sandboxModeSchema = z.enum(sandboxModes);
export type SandboxMode = z.infer<typeof sandboxModeSchema>;

const texts = z._default(z.array(z.string()), []);

/**
 * Folders of a person's home that hold keys, tokens and passwords: what runs shut in does not see them. Anybody who sets
 * `filesystem.denyRead` writes the whole list.
 */
export const secretFolders: readonly string[] = [
  '~/.ssh',
  '~/.gnupg',
  '~/.aws',
  '~/.azure',
  '~/.config/gcloud',
  '~/.config/gh',
  '~/.kube',
  '~/.docker',
  '~/.netrc',
  '~/.git-credentials',
  '~/.pypirc',
  '~/.password-store',
  '~/.local/share/keyrings',
  '~/.mozilla',
  '~/.config/google-chrome',
  '~/.config/chromium',
  '~/Library/Keychains',
];

/** Section `sandbox` of a settings file, as written. */
export const sandboxSectionSchema = z.object({
  mode: z.optional(sandboxModeSchema),
  /** Rules of Bash: a command one part of which matches runs shut in although the mode is off. */
  commands: texts,
  /** Rules of Bash: a command every part of which matches runs outside although the mode is on; it asks as any other. */
  exclude: texts,
  network: z._default(
    z.object({
      /** `example.com`, `*.example.com`, `*` (every public host), with or without `:port`; `localhost:port` for this machine. */
      allow: texts,
      deny: texts,
    }),
    { allow: [], deny: [] },
  ),
  filesystem: z._default(
    z.object({
      /** Folders and files beside the session directory that it may write to. */
      write: texts,
      /** Folders and files that do not exist for it; absent: `secretFolders`. */
      denyRead: z.optional(z.array(z.string())),
    }),
    { write: [] },
  ),
  /** What runs shut in and no rule denies or asks about runs without a question. */
  autoAllow: z.optional(z.boolean()),
});
export type SandboxSection = z.infer<typeof sandboxSectionSchema>;

/** What holds for the shells of one session. */
export const sandboxConfigSchema = z.object({
  mode: sandboxModeSchema,
  commands: z.array(z.string()),
  exclude: z.array(z.string()),
  allow: z.array(z.string()),
  deny: z.array(z.string()),
  write: z.array(z.string()),
  denyRead: z.array(z.string()),
  /** Files in the session directory that hooks run, beside what is protected by its name; absolute. */
  readOnly: z.optional(z.array(z.string())),
  autoAllow: z.boolean(),
});
export type SandboxConfig = z.infer<typeof sandboxConfigSchema>;

/** What holds where nobody wrote anything. */
export const noSandbox: SandboxConfig = {
  mode: 'off',
  commands: [],
  exclude: [],
  allow: [],
  deny: [],
  write: [],
  denyRead: [...secretFolders],
  autoAllow: false,
};

/** A section with where it was written; `section` null: nothing there. */
export interface SourcedSandbox {
  readonly source: RuleSource;
  readonly section: SandboxSection;
}

/**
 * The settings of all sources and the session's own wish, in one. A source can demand more than the others, none less: only the
 * wish of the person who made the session does, and not less than what the administrator demands. Lists are put together.
 * A project (whose files others write) cannot free commands from the sandbox or from questions, nor see what is hidden.
 */
export function mergeSandbox(sources: readonly SourcedSandbox[], wish: SandboxMode | null): SandboxConfig {
  const managed = sources.filter(({ source }) => source === 'managed');
  const persons = sources.filter(({ source }) => source !== 'project');
  const lists = (from: readonly SourcedSandbox[], pick: (section: SandboxSection) => readonly string[]) => [
    ...new Set(from.flatMap(({ section }) => pick(section))),
  ];
  // Unlike the rest a list of what is hidden holds without trust: of a project's files it only adds.
  const hidden = persons.filter(
    ({ source, section }) => source !== 'project_local' && section.filesystem.denyRead !== undefined,
  );
  const added = lists(sources, ({ filesystem }) => filesystem.denyRead ?? []);
  return {
    mode: strictest([...modesOf(managed), ...(wish === null ? modesOf(sources) : [wish])]),
    commands: lists(sources, ({ commands }) => commands),
    exclude: lists(persons, ({ exclude }) => exclude),
    allow: lists(sources, ({ network }) => network.allow),
    deny: lists(sources, ({ network }) => network.deny),
    write: lists(sources, ({ filesystem }) => filesystem.write),
    denyRead: hidden.length > 0 ? added : [...new Set([...secretFolders, ...added])],
    autoAllow: autoAllow(managed) ?? autoAllow(persons) ?? false,
  };
}

function modesOf(sources: readonly SourcedSandbox[]): SandboxMode[] {
  return sources.flatMap(({ section }) => section.mode ?? []);
}

function strictest(modes: readonly SandboxMode[]): SandboxMode {
  return sandboxModes.findLast((mode) => modes.includes(mode)) ?? 'off';
}

function autoAllow(sources: readonly SourcedSandbox[]): boolean | undefined {
  return sources.find(({ section }) => section.autoAllow !== undefined)?.section.autoAllow;
}
