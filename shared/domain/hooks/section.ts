import { isObject } from '../../base/json.ts';
import { oneLine } from '../../base/visible-text.ts';
import {
  type HookCommand,
  type HookEvent,
  type HookGroup,
  type HooksSection,
  hookEvents,
} from '../session-config.ts';
import { isReadableMatcher } from './matcher.ts';

/** Longest time a hook may ask for, in seconds; more counts as this. */
export const longestHookSeconds = 600;

/** Events that nothing in this version gives rise to, and why. */
const unfired: Partial<Record<HookEvent, string>> = {
  SubagentStop: 'sessions have no subagents yet',
  WorktreeCreate: 'Kairos makes no worktrees yet',
  WorktreeRemove: 'Kairos makes no worktrees yet',
  CwdChanged: 'the directory of a session stays the same',
};

/** Section `hooks` of a settings file as far as it can be taken; each notice is one sentence. */
export interface ReadHooks {
  readonly hooks: HooksSection;
  /** Hooks of a project may say "allow"; counts in settings of the person and of the machine only. */
  readonly projectAllow: boolean;
  readonly notices: readonly string[];
}

/** Takes every hook that can be taken; unknown events, types and members are named and left out, the others stand. Never throws. */
export function readHooksSection(section: unknown): ReadHooks {
  if (section === undefined) return { hooks: {}, projectAllow: false, notices: [] };
  if (!isObject(section))
    return { hooks: {}, projectAllow: false, notices: ['"hooks" is no object: ignored.'] };
  const notices: string[] = [];
  const hooks: Partial<Record<HookEvent, HookGroup[]>> = {};
  const usual = readOnFailure('hooks', section.onFailure, notices).onFailure;
  for (const [name, groups] of Object.entries(section)) {
    if (name === 'projectAllow' || name === 'onFailure') continue;
    const event = hookEvents.find((known) => known === name);
    if (event === undefined) notices.push(`hooks: there is no event ${quoted(name)}: its hooks never run.`);
    else hooks[event] = readGroups(event, groups, notices).map((group) => withUsual(group, usual));
  }
  const { projectAllow } = section;
  if (projectAllow !== undefined && typeof projectAllow !== 'boolean')
    notices.push('hooks.projectAllow is neither true nor false: hooks of projects may not allow.');
  return { hooks, projectAllow: projectAllow === true, notices };
}

/** What the section says of hooks that say nothing themselves. */
function withUsual(group: HookGroup, usual: HookCommand['onFailure']): HookGroup {
  if (usual === undefined) return group;
  return { ...group, hooks: group.hooks.map((hook) => ({ onFailure: usual, ...hook })) };
}

/** What cannot be read was meant to say something: then nothing passes. */
function readOnFailure(where: string, value: unknown, notices: string[]): Pick<HookCommand, 'onFailure'> {
  if (value === undefined) return {};
  if (value === 'continue' || value === 'deny') return { onFailure: value };
  notices.push(`${where}.onFailure is neither "continue" nor "deny": "deny" holds.`);
  return { onFailure: 'deny' };
}

function readGroups(event: HookEvent, groups: unknown, notices: string[]): HookGroup[] {
  if (!Array.isArray(groups)) {
    notices.push(`hooks.${event} is no list: ignored.`);
    return [];
  }
  const why = unfired[event];
  if (why !== undefined && groups.length > 0)
    notices.push(`hooks.${event}: nothing fires it in this version (${why}); its hooks never run.`);
  return groups.flatMap((group: unknown, index) => readGroup(`hooks.${event}.${index}`, group, notices));
}

function readGroup(where: string, group: unknown, notices: string[]): HookGroup[] {
  if (!isObject(group) || !Array.isArray(group.hooks)) {
    notices.push(`${where} has no list "hooks": ignored.`);
    return [];
  }
  const { matcher } = group;
  if (matcher !== undefined && typeof matcher !== 'string') {
    notices.push(`${where}.matcher is no text: ignored, with its hooks.`);
    return [];
  }
  if (matcher !== undefined && !isReadableMatcher(matcher))
    notices.push(
      `${where}.matcher ${quoted(matcher)} is no regular expression: its hooks run always, and their "allow" does not count.`,
    );
  const hooks = group.hooks.flatMap((hook: unknown, index) =>
    readCommand(`${where}.hooks.${index}`, hook, notices),
  );
  return hooks.length === 0 ? [] : [{ ...(matcher === undefined ? {} : { matcher }), hooks }];
}

function readCommand(where: string, hook: unknown, notices: string[]): HookGroup['hooks'] {
  if (!isObject(hook)) {
    notices.push(`${where} is no object: ignored.`);
    return [];
  }
  const { type, command, timeout } = hook;
  if (type !== 'command') {
    notices.push(`${where} has the type ${quoted(String(type))}; this version runs "command" only: ignored.`);
    return [];
  }
  if (typeof command !== 'string' || command.trim() === '') {
    notices.push(`${where} has no command: ignored.`);
    return [];
  }
  const own = { type, command, ...readOnFailure(where, hook.onFailure, notices) } as const;
  if (timeout === undefined) return [own];
  if (typeof timeout !== 'number' || !(timeout > 0)) {
    notices.push(`${where}.timeout is no number of seconds above 0: the usual 60 s hold.`);
    return [own];
  }
  return [{ ...own, timeout: Math.min(timeout, longestHookSeconds) }];
}

function quoted(text: string): string {
  return JSON.stringify(oneLine(text, 80));
}
