import * as z from 'zod/mini';
import { oneLine } from '../../base/visible-text.ts';
import type { RuleSource } from '../permissions/rules.ts';
import { type HookEvent, hookEvents, type SourcedHooks } from '../session-config.ts';
import { isReadableMatcher, matchesName } from './matcher.ts';

/** A hook without a time of its own is ended after this. */
export const usualHookMs = 60_000;
/** Of one event no more hooks are run: each is a process. */
export const mostHooksAtOnce = 32;

const sources = [
  'managed',
  'command_line',
  'project_local',
  'project',
  'settings',
  'always',
  'session',
] as const satisfies readonly RuleSource[];

/** One hook as a worker gets it. */
export const hookRuleSchema = z.object({
  event: z.enum(hookEvents),
  /** null: everything. */
  matcher: z.nullable(z.string()),
  command: z.string(),
  timeoutMs: z.number(),
  source: z.enum(sources),
  /** Project whose settings have it; null: the person's or the machine's. */
  dir: z.nullable(z.string()),
  /** Its "allow" and its answers to questions count. */
  mayAllow: z.boolean(),
  /** `deny`: what it guards is held back when it does not work; absent: that goes on. */
  onFailure: z.optional(z.literal('deny')),
});
export type HookRule = z.infer<typeof hookRuleSchema>;

/** The hooks of every source in their order. `projectAllow`: the person lets hooks of projects allow. */
export function hookRules(given: readonly SourcedHooks[], projectAllow: boolean): readonly HookRule[] {
  return given.flatMap(({ source, dir, hooks }) =>
    hookEvents.flatMap((event) =>
      (hooks[event] ?? []).flatMap(({ matcher, hooks: commands }) =>
        commands.map(({ command, timeout, onFailure }) => ({
          event,
          matcher: matcher ?? null,
          command,
          timeoutMs: timeout === undefined ? usualHookMs : Math.ceil(timeout * 1000),
          source,
          dir,
          mayAllow:
            (!isOfProject(source) || projectAllow) && (matcher === undefined || isReadableMatcher(matcher)),
          ...(onFailure === 'deny' ? { onFailure } : {}),
        })),
      ),
    ),
  );
}

function isOfProject(source: RuleSource): boolean {
  return source === 'project' || source === 'project_local';
}

/** The hooks that an event about `name` runs (a tool, or what the event's matcher is held against); null: it has no such name. */
export function hooksFor(
  rules: readonly HookRule[],
  event: HookEvent,
  name: string | null,
): readonly HookRule[] {
  return rules
    .filter((rule) => rule.event === event && (name === null || matchesName(rule.matcher, name)))
    .slice(0, mostHooksAtOnce);
}

const sourceWords: Readonly<Record<RuleSource, string>> = {
  managed: 'managed settings',
  command_line: 'command line',
  project_local: 'local project settings',
  project: 'project settings',
  settings: 'user settings',
  always: 'rule',
  session: 'session',
};

/** How people and the model read which hook it was; stands in brackets after the word "hook". */
export function hookName({ command, source }: Pick<HookRule, 'command' | 'source'>): string {
  return `${oneLine(command, 80)}, ${sourceWords[source]}`;
}
