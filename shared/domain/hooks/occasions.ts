import { assertNever } from '../../base/assert-never.ts';
import type { PermissionMode } from '../sessions.ts';

/** What happened, with what the event's hooks are told about it. */
export type HookOccasion =
  | {
      readonly event: 'PreToolUse' | 'PermissionRequest';
      readonly tool: string;
      readonly input: unknown;
      readonly call: string;
    }
  | {
      readonly event: 'PostToolUse';
      readonly tool: string;
      readonly input: unknown;
      readonly call: string;
      readonly response: { readonly outcome: string; readonly output: string };
    }
  /** `ref`: how the conversation names the message; hooks are not told. */
  | { readonly event: 'UserPromptSubmit'; readonly prompt: string; readonly ref: string }
  | { readonly event: 'SessionStart'; readonly source: 'startup' | 'resume' }
  | { readonly event: 'SessionEnd'; readonly reason: 'released' | 'interrupted' }
  | { readonly event: 'Stop'; readonly active: boolean; readonly lastMessage: string }
  | { readonly event: 'PreCompact'; readonly trigger: 'auto' }
  | { readonly event: 'PostCompact'; readonly trigger: 'auto'; readonly summary: string }
  | {
      readonly event: 'Notification';
      readonly kind: 'permission_prompt' | 'question';
      readonly message: string;
    }
  | { readonly event: 'FileChanged'; readonly path: string; readonly tool: string };

/** What hooks are told of the session beside the event. */
export interface HookSession {
  readonly session: string;
  readonly name: string | null;
  readonly dir: string;
  readonly mode: PermissionMode;
}

/** What the event's matcher is held against; null: it has none, every hook of it runs. */
export function occasionName(occasion: HookOccasion): string | null {
  switch (occasion.event) {
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'PostToolUse':
      return occasion.tool;
    case 'SessionStart':
      return occasion.source;
    case 'SessionEnd':
      return occasion.reason;
    case 'PreCompact':
    case 'PostCompact':
      return occasion.trigger;
    case 'Notification':
      return occasion.kind;
    case 'FileChanged':
      return occasion.path.slice(occasion.path.lastIndexOf('/') + 1);
    case 'UserPromptSubmit':
    case 'Stop':
      return null;
    default:
      return assertNever(occasion, 'occasion of hooks');
  }
}

/** The JSON object that a hook reads on stdin. */
export function hookInput(occasion: HookOccasion, session: HookSession): Readonly<Record<string, unknown>> {
  return {
    session_id: session.session,
    session_name: session.name,
    // There is no file with the conversation; `kairos export <session_id>` gives it.
    transcript_path: '',
    cwd: session.dir,
    permission_mode: session.mode,
    hook_event_name: occasion.event,
    ...ownInput(occasion),
  };
}

function ownInput(occasion: HookOccasion): Readonly<Record<string, unknown>> {
  switch (occasion.event) {
    case 'PreToolUse':
    case 'PermissionRequest':
      return { tool_name: occasion.tool, tool_input: occasion.input, tool_use_id: occasion.call };
    case 'PostToolUse': {
      const { tool, input, call, response } = occasion;
      return { tool_name: tool, tool_input: input, tool_use_id: call, tool_response: response };
    }
    case 'UserPromptSubmit':
      return { prompt: occasion.prompt };
    case 'SessionStart':
      return { source: occasion.source };
    case 'SessionEnd':
      return { reason: occasion.reason };
    case 'Stop':
      return { stop_hook_active: occasion.active, last_assistant_message: occasion.lastMessage };
    case 'PreCompact':
      return { trigger: occasion.trigger, custom_instructions: '' };
    case 'PostCompact':
      return { trigger: occasion.trigger, compact_summary: occasion.summary };
    case 'Notification':
      return { notification_type: occasion.kind, message: occasion.message };
    case 'FileChanged':
      return { file_path: occasion.path, tool_name: occasion.tool };
    default:
      return assertNever(occasion, 'occasion of hooks');
  }
}
