import type { RunCommand } from '../arguments/command-spec.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { usageFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { notice } from '../output/print.ts';
import type { Asker } from './begin/asker.ts';
import { screenAsker } from './begin/screen-asker.ts';
import { InputLines } from './plain/lines.ts';
import { plainAsker } from './plain/plain-asker.ts';
import { findSession } from './begin/find-session.ts';
import { follow } from './follow/follow.ts';
import { type Looks, looksOf } from './looks.ts';

async function goodbye(context: CliContext, name: string): Promise<void> {
  const { program } = context;
  await notice(
    context,
    `You left; the agent goes on. Come back with: ${program} assistant ${foreignLine(name)}`,
  );
}

async function openAsker(context: CliContext, looks: Looks, input: InputLines): Promise<Asker> {
  if (looks.isPlain) return plainAsker(context, input);
  const { openScreen } = await import('./terminal/ink-screen.ts');
  return screenAsker(openScreen(looks), context.clock);
}

/** `kairos assistant [SESSION]`: follows a session in the terminal, with a viewer's rights. */
export const run: RunCommand = async (context, args): Promise<ExitCode> => {
  if (args.flag('json')) {
    throw usageFailure(
      'kairos assistant is a view for people and has no JSON.',
      'Use: kairos export SESSION, or kairos send TEXT --wait --json',
    );
  }
  const looks = looksOf(context, args.flag('plain'));
  const input = new InputLines(context.stdin);
  const session = await findSession(context, () => openAsker(context, looks, input), args.positional(0));
  if (session === null) {
    await notice(context, 'You left; nothing was changed.');
    return exit.done;
  }
  const left = await follow(context, looks, { session: session.id, text: args.text('prompt'), input });
  await goodbye(context, left ?? session.name ?? session.id);
  return exit.done;
};
