import * as z from 'zod/mini';
import { issueWords } from '../base/issue-words.ts';
import { isObject } from '../base/json.ts';
import { modelSettingsSchema } from './model-settings.ts';
import { defaultPromptLifeMs } from './prompts.ts';
import { sandboxSectionSchema } from './sandbox.ts';
import { permissionModeSchema } from './sessions.ts';

const positive = z.number().check(z.positive());
const count = z.int().check(z.positive());

/** Where web searches go when the model's provider offers none. `url` holds `{query}`; the key stands in the variable `keyEnv`. */
export const searchEndpointSchema = z.object({
  url: z.string().check(z.regex(/^https?:\/\/.+\{query\}/, 'has to be an http(s) address with {query}')),
  keyEnv: z.optional(z.string()),
  /** Header that carries the key; absent: `authorization: Bearer <key>`. */
  keyHeader: z.optional(z.string()),
  /** Where its JSON has results: `results` (SearXNG) or `web.results` (Brave). */
  shape: z._default(z.enum(['searxng', 'brave']), 'searxng'),
});
export type SearchEndpoint = z.infer<typeof searchEndpointSchema>;

/** One schema per top-level section of `settings.json`; unknown members of a section are kept in the file and ignored. */
export const settingSections = {
  sessions: z.object({
    /** Quiet seconds after which a session's worker exits. */
    hibernateAfterSeconds: z._default(positive, 60),
    /** Seconds after which a worker that does not answer is killed and its sessions go on in another; at least 1. */
    unresponsiveAfterSeconds: z._default(z.number().check(z.gte(1)), 20),
    /** Sessions that run at once; the rest queue. */
    capacity: z._default(count, 8),
    defaultMode: z._default(permissionModeSchema, 'default'),
  }),
  prompts: z.object({
    /** Unanswered prompts count as denied after this many seconds. */
    expireAfterSeconds: z._default(positive, defaultPromptLifeMs / 1000),
  }),
  bridge: z.object({
    /** 0 = any free port (the last one is tried first). */
    port: z._default(z.int().check(z.gte(0), z.lte(65535)), 0),
    host: z._default(z.enum(['127.0.0.1', '::1']), '127.0.0.1'),
    publicOrigin: z.optional(z.url()),
  }),
  permissions: z.object({
    allow: z._default(z.array(z.string()), []),
    ask: z._default(z.array(z.string()), []),
    deny: z._default(z.array(z.string()), []),
  }),
  budgets: z.object({
    /** US dollars; null = no limit. */
    dayUsd: z._default(z.nullable(z.number().check(z.gte(0))), 5),
    sessionDayTokens: z._default(z.nullable(z.int().check(z.gte(0))), 2_000_000),
    /** Of one session over its whole life. */
    sessionUsd: z._default(z.nullable(z.number().check(z.gte(0))), null),
    /** Of everything ever. */
    totalUsd: z._default(z.nullable(z.number().check(z.gte(0))), null),
  }),
  models: modelSettingsSchema,
  agent: z.object({
    /** A turn that asks for more model requests than this ends with a notice. */
    stepsPerTurn: z._default(count, 200),
    /** Of one reply so many calls are run; the model is told that the others were not. */
    callsPerReply: z._default(count, 128),
    /** So many equal calls in a row are run; then the model is told, and its turn ends when it goes on. */
    repeatLimit: z._default(count, 5),
  }),
  tasks: z.object({
    /** Background tasks that a session may have at once. */
    perSession: z._default(count, 8),
    /** Hours after which a background task is stopped; at most 500. */
    hours: z._default(z.number().check(z.positive(), z.lte(500)), 24),
  }),
  /** What a new session's person reads: `chat`, messages alone (brief mode), or the whole work. */
  defaultView: z._default(z.enum(['chat', 'transcript']), 'transcript'),
  brief: z.object({
    /** Brief mode may be used at all; assistant sessions and KAIROS_BRIEF=1 have it anyway. */
    enabled: z._default(z.boolean(), true),
  }),
  web: z.object({
    search: z.optional(searchEndpointSchema),
    /** Whether the model's provider searches the web itself; absent: where it is known to. */
    nativeSearch: z.optional(z.boolean()),
  }),
  env: z.object({
    /** Names of variables that tools get although they look like secrets. */
    pass: z._default(z.array(z.string()), []),
    /** Variables that tools get besides. */
    set: z._default(z.record(z.string(), z.string()), {}),
  }),
  /** Commands at events, by event; read with every session (`hooks/section.ts`). */
  hooks: z.record(z.string(), z.unknown()),
  sandbox: sandboxSectionSchema,
  logs: z.object({ level: z._default(z.enum(['debug', 'info', 'warn', 'error']), 'info') }),
} as const;

type Sections = typeof settingSections;
/** A top-level section of `settings.json`. */
export type SectionName = keyof Sections;
/** Every section with its defaults filled in. */
export type Settings = { readonly [Name in SectionName]: z.infer<Sections[Name]> };

/** Keys that older or other programs write and that have a new home here. */
const retired: Record<string, string> = {
  hibernateAfter: 'sessions.hibernateAfterSeconds',
  port: 'bridge.port',
};

/** The settings that hold, and what of the file could not be taken. */
export interface ParsedSettings {
  readonly settings: Settings;
  /** One sentence each: what was not taken, why, and what holds instead. */
  readonly notices: readonly string[];
}

/** The settings of an empty file. */
export function defaultSettings(): Settings {
  return parseSettings({}).settings;
}

/** Takes each valid section; an invalid one falls back to its defaults with a notice, the others stand. Never throws. */
export function parseSettings(file: unknown): ParsedSettings {
  const notices: string[] = [];
  const source = isObject(file) ? file : {};
  if (!isObject(file)) notices.push('settings.json is not a JSON object: the defaults hold.');
  const parsed = Object.fromEntries(
    (Object.keys(settingSections) as SectionName[]).map((name) => [
      name,
      parseSection(name, source[name], notices),
    ]),
  );
  for (const key of Object.keys(source)) {
    if (Object.hasOwn(settingSections, key)) continue;
    const moved = Object.hasOwn(retired, key) ? retired[key] : undefined;
    notices.push(
      moved
        ? `settings.json: "${key}" has moved to "${moved}": ignored until it stands there.`
        : `settings.json: "${key}" is not known to this version: ignored (and kept in the file).`,
    );
  }
  return { settings: parsed as Settings, notices };
}

function parseSection(name: SectionName, value: unknown, notices: string[]): unknown {
  const schema = settingSections[name];
  const nothing = name === 'defaultView' ? undefined : {};
  const result = schema.safeParse(value ?? nothing);
  if (result.success) return result.data;
  const where = result.error.issues
    .map((issue) => `${[name, ...issue.path].join('.')} ${issueWords(issue)}`)
    .join('; ');
  const strict =
    name === 'permissions'
      ? ' Until it is mended every tool asks, but those that keep to the conversation or stop a background task.'
      : '';
  notices.push(`settings.json: section "${name}" is ignored and its defaults hold (${where}).${strict}`);
  if (name === 'permissions') return { allow: [], ask: ['*'], deny: [] };
  return schema.parse(nothing);
}
