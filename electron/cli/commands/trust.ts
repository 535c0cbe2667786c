import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  trustAnswerSchema,
  type TrustView,
  type TrustWord,
  trustWordSchema,
} from '../../../shared/protocol/permissions.ts';
import { trustRisks } from '../../../shared/domain/permissions/trust-risks.ts';
import * as z from 'zod/mini';
import type { RunCommand } from '../arguments/command-spec.ts';
import { anyAnswerSchema } from '../bridge/answers.ts';
import { get, post } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { existingDirectory } from '../directory.ts';
import { exit } from '../exit.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { printJson, printText } from '../output/print.ts';
import { table } from '../output/table.ts';
import { isoTime, relativeTime } from '../output/times.ts';
import { quoted } from './rules.ts';

/** Characters of a digest that are shown and typed. */
const shown = 12;

/** `kairos trust [DIR]`: what a directory brings, and whether that holds. */
export const run: RunCommand = (context, args) => {
  const accept = args.text('accept');
  const ways = [accept !== undefined, args.flag('revoke'), args.flag('list')].filter(Boolean);
  if (ways.length > 1)
    throw usageFailure('--accept, --revoke and --list do not go together.', 'Choose one of them.');
  const json = args.flag('json');
  if (args.flag('list')) return list(context, json);
  const named = args.positional(0) ?? '.';
  if (args.flag('revoke')) return revoke(context, named, json);
  const dir = existingDirectory(context, named);
  return accept === undefined ? show(context, dir, json) : trust(context, dir, accept, json);
};

function ask(context: CliContext, dir: string): Promise<TrustView[]> {
  return get(context, `/trust?${new URLSearchParams({ dir })}`, trustAnswerSchema);
}

async function show(context: CliContext, dir: string, json: boolean) {
  const found = await ask(context, dir);
  if (json) return printJson(context, found.map(viewFacts));
  if (found.length === 0)
    return printText(context, `${foreignLine(dir)} brings no rules, hooks or variables that need trust.`);
  return printText(context, found.map((view) => viewText(context, view)).join('\n'));
}

function viewFacts({ at, by, ...view }: TrustView) {
  return {
    ...view,
    at: at === null ? null : isoTime(at),
    by: by === null ? null : { ...by, at: isoTime(by.at) },
  };
}

function viewText(context: CliContext, { dir, digest, state, preview, at }: TrustView): string {
  const when = at === null ? '' : `, ${relativeTime(at, context.clock.now())}`;
  const states = {
    trusted: `${foreignLine(dir)} is trusted as it is${when}.`,
    refused: `${foreignLine(dir)} is not trusted as it is${when}: what it brings does not hold.`,
    open: `${foreignLine(dir)} was not decided on as it is: what it brings does not hold.`,
  } as const;
  const how =
    state === 'trusted'
      ? `To take it back: ${context.program} trust ${quoted(dir)} --revoke`
      : `To trust exactly this: ${context.program} trust ${quoted(dir)} --accept ${digest.slice(0, shown)}`;
  const lines = preview.split('\n').map((line) => `    ${foreignLine(line)}`.trimEnd());
  const warnings = trustRisks(preview).map((risk) => `    ! ${foreignLine(risk)}`);
  return [states[state], ...lines, ...warnings, how, ''].join('\n');
}

async function trust(context: CliContext, dir: string, typed: string, json: boolean) {
  if (!/^[0-9a-f]{8,64}$/.test(typed))
    throw usageFailure('DIGEST is 8 or more of the characters that are shown.', 'See: kairos trust');
  const view = (await ask(context, dir)).find(({ digest }) => digest.startsWith(typed));
  if (view === undefined)
    throw new CommandFailure(
      exit.refused,
      `${foreignLine(dir)} does not bring what was shown under ${typed}.`,
      'See what is there now: kairos trust',
    );
  // Files that hooks name are read from the directory that was asked about: what it shows is what is trusted.
  const body = { dir, digest: view.digest, trusted: true };
  const value = await post(context, '/trust', body, anyAnswerSchema);
  if (json) return printJson(context, value);
  return printText(
    context,
    `Trusted: what ${foreignLine(view.dir)} brings holds from now on, until it changes.`,
  );
}

async function revoke(context: CliContext, named: string, json: boolean) {
  const value = await post(context, '/trust/revoke', { dir: realOrNamed(context, named) }, anyAnswerSchema);
  if (json) return printJson(context, value);
  return printText(context, 'No longer trusted: what it brings does not hold.');
}

/** Also a directory that is gone can be trusted no longer. */
function realOrNamed({ cwd }: CliContext, named: string): string {
  const path = resolve(cwd, named);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

async function list(context: CliContext, json: boolean) {
  const words = await get(context, '/trusts', z.array(trustWordSchema));
  if (json) return printJson(context, words.map(wordFacts));
  if (words.length === 0) return printText(context, 'No directory was decided on.');
  const now = context.clock.now();
  const states = await Promise.all(words.map((word) => stateNow(context, word)));
  const rows = words.map(({ dir, at }, index) => [
    { text: states[index] ?? '' },
    { text: foreignLine(dir), fit: 'wrap' as const },
    { text: relativeTime(at, now), fit: 'wrap' as const },
  ]);
  return printText(context, table(rows, context.stdout.columns));
}

/** The word as it counts now: what a directory brings may be another thing by now. */
async function stateNow(context: CliContext, { dir, trusted }: TrustWord): Promise<string> {
  if (!trusted) return 'refused';
  const found = await ask(context, dir).catch((error: unknown) => {
    // A directory that is gone brings nothing.
    if (error instanceof CommandFailure) return [];
    throw error;
  });
  const view = found.find((each) => each.dir === dir);
  if (view === undefined) return 'trusted';
  return view.state === 'trusted' ? 'trusted' : 'changed since, does not hold';
}

function wordFacts({ at, by, ...word }: TrustWord) {
  return { ...word, at: isoTime(at), by: by === null ? null : { ...by, at: isoTime(by.at) } };
}
