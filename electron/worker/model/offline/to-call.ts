import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { Command } from './commands.ts';

/** The tool call that carries a command out; null for commands that are only answered. */
export function toCall(command: Command): { readonly tool: string; readonly input: unknown } | null {
  switch (command.kind) {
    case 'run':
      return { tool: 'Bash', input: { command: command.command } };
    case 'read':
      return { tool: 'Read', input: { file_path: command.path } };
    case 'write':
      return { tool: 'Write', input: { file_path: command.path, content: command.text } };
    case 'edit':
      return {
        tool: 'Edit',
        input: { file_path: command.path, old_string: command.before, new_string: command.after },
      };
    case 'find':
      return { tool: 'Glob', input: { pattern: command.pattern, ...placed(command.path) } };
    case 'search':
      return {
        tool: 'Grep',
        input: { pattern: command.pattern, output_mode: 'content', ...placed(command.path) },
      };
    case 'ask': {
      const options = command.options.map((label) => ({ label }));
      const question = { question: command.question };
      return { tool: 'AskUserQuestion', input: options.length > 0 ? { ...question, options } : question };
    }
    case 'sleep':
      return { tool: 'Sleep', input: { seconds: command.seconds } };
    case 'help':
    case 'notice':
    case 'usage':
    case 'later':
    case 'other':
      return null;
    default:
      return assertNever(command, 'command');
  }
}

function placed(path: string | null): { readonly path?: string } {
  return path === null ? {} : { path };
}
