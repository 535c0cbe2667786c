import { limits, longMessageNext } from '../../../shared/protocol/bridge.ts';
import type { CliContext } from '../context.ts';
import { type CommandFailure, usageFailure } from '../failure.ts';

function tooLong(): CommandFailure {
  const message = `The message is longer than the limit of ${limits.messageBytes / 1024} KB.`;
  return usageFailure(message, longMessageNext);
}

async function readAll(stdin: CliContext['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk);
    size += bytes.length;
    // Two more: the line end that is taken off below.
    if (size > limits.messageBytes + 2) throw tooLong();
    chunks.push(bytes);
  }
  // What a program pipes in ends with a line feed that nobody meant to say.
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

/** The text to send: the argument, or standard input for `-`. Throws CommandFailure (2) when it is empty or too long. */
export async function messageText(context: CliContext, argument: string): Promise<string> {
  const text = argument === '-' ? await readAll(context.stdin) : argument;
  if (text.trim() === '') throw usageFailure('The message is empty.', 'For example: kairos send "help"');
  if (Buffer.byteLength(text) > limits.messageBytes) throw tooLong();
  return text;
}
