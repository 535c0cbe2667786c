import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { isShutIn, type ShutInFacts } from '../../../shared/domain/permissions/shut-in.ts';
import { sandboxWords } from '../sandbox/session-sandbox.ts';
import type { ToolContext } from './tool.ts';

/** What the sandbox adds to the facts of a command, and a line about it for people; `line` empty: nothing to say. */
export interface SandboxFacts {
  readonly facts: Pick<CallFacts, 'sandboxed'>;
  readonly line: string;
}

/** Whether the command runs shut in; a sentence when it may not run at all. */
export async function sandboxFacts(
  command: ShutInFacts,
  cwd: string,
  { sandbox }: Pick<ToolContext, 'sandbox'>,
): Promise<SandboxFacts | string> {
  const config = await sandbox.config();
  if (!isShutIn(command, config, cwd)) {
    const line = config.mode === 'off' ? '' : '[outside the sandbox: sandbox.exclude names it]';
    return { facts: {}, line };
  }
  const state = await sandbox.state();
  if (state.kind === 'ready')
    return { facts: { sandboxed: true }, line: `[in the sandbox: ${sandboxWords(config)}]` };
  const { why, next } = state;
  if (config.mode === 'required')
    return `a sandbox is required here and there is none. ${why} ${next} Tell the person; nothing runs in a shell until then`;
  return { facts: { sandboxed: false }, line: `[NOT in the sandbox, which is switched on. ${why} ${next}]` };
}
