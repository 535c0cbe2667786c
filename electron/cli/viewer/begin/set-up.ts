import { CommandFailure } from '../../failure.ts';
import {
  modelsAnswerSchema,
  newSessionBodySchema,
  sessionViewSchema,
  type ModelsAnswer,
  type SessionView,
} from '../../../../shared/protocol/bridge.ts';
import { type TrustView, trustAnswerSchema } from '../../../../shared/protocol/permissions.ts';
import { anyAnswerSchema } from '../../bridge/answers.ts';
import { get, post } from '../../bridge/client.ts';
import { locateDaemon } from '../../bridge/locate.ts';
import type { CliContext } from '../../context.ts';
import { existingDirectory } from '../../directory.ts';
import { notice } from '../../output/print.ts';
import { startDetached } from '../../process/start-detached.ts';
import { stopDaemon } from '../../process/stop-daemon.ts';
import { foreignSpan, foreignSpans, type Line, span } from '../text/line.ts';
import { indent, wrapLine, wrapLines } from '../text/wrap-line.ts';
import { type Asker, noBody } from './asker.ts';
import { modelOffers } from './begin-model.ts';

/** Where to work; asked again with the reason until it can be worked there. Null: cancelled. */
async function askDirectory(context: CliContext, asker: Asker): Promise<string | null> {
  let problem: string | null = null;
  let initial = context.cwd;
  for (;;) {
    const why: string | null = problem;
    const typed: string | null = await asker.text({
      title: 'Kairos set-up, 1 of 3: in which directory shall it work?',
      body: (columns) => (why === null ? noBody() : wrapLine([foreignSpan(why, 'bad')], columns)),
      initial,
    });
    if (typed === null) return null;
    try {
      return existingDirectory(context, typed.trim() === '' ? context.cwd : typed.trim());
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      problem = `${error.message} ${error.next ?? ''}`;
      initial = typed;
    }
  }
}

async function askModel(
  asker: Asker,
  answer: ModelsAnswer | null,
): Promise<{ ref: string | undefined } | null> {
  const offers = modelOffers(answer);
  const chosen = await asker.choose({
    title: 'Kairos set-up, 2 of 3: which model?',
    body: noBody,
    offers,
  });
  return chosen === null ? null : { ref: offers[chosen]?.ref };
}

function trustBody(open: readonly TrustView[], columns: number): Line[] {
  const intro =
    'This directory brings settings of its own that run or allow things. Trust them only if you know who wrote them.';
  return [
    ...wrapLine([span(intro)], columns),
    ...open.flatMap(({ dir, preview }) => [
      [],
      ...wrapLine([foreignSpan(dir, 'strong')], columns),
      ...wrapLines(
        foreignSpans(preview).map((part): Line => [part]),
        columns,
        indent(2),
      ),
    ]),
  ];
}

/** Whether to trust what the directory brings, or where it brings nothing whether to work there at all. Null: cancelled. */
async function askTrust(asker: Asker, dir: string, open: readonly TrustView[]): Promise<boolean | null> {
  const title = 'Kairos set-up, 3 of 3: trust';
  if (open.length > 0) {
    const offers = [
      { words: 'Do not trust: work without them' },
      { words: 'Trust these settings', isGuarded: true },
    ];
    const chosen = await asker.choose({ title, body: (columns) => trustBody(open, columns), offers });
    return chosen === null ? null : chosen === 1;
  }
  const words = `Kairos reads and works in ${dir}, and asks before it runs or changes anything. Nothing in there runs by itself.`;
  const offers = [{ words: 'Work there', isGuarded: true }];
  const chosen = await asker.choose({
    title,
    body: (columns) => wrapLine([foreignSpan(words)], columns),
    offers,
  });
  return chosen === null ? null : true;
}

/** Starts a daemon where none runs; `undo` ends one that was started here. */
async function ensureDaemon(context: CliContext, asker: Asker): Promise<{ undo(): Promise<void> }> {
  asker.tell('Starting Kairos…');
  const { attached } = await startDetached(context);
  return {
    undo: async () => {
      if (!attached) await stopDaemon(context);
    },
  };
}

async function makeSession(
  context: CliContext,
  wish: { dir: string; model: string | undefined; isTrusted: boolean },
): Promise<SessionView> {
  const { dir, model, isTrusted } = wish;
  // Without trust it stays an ordinary session (behaviour 12).
  const kind = isTrusted ? 'daemon' : 'interactive';
  const body = newSessionBodySchema.parse({ dir, kind, ...(model === undefined ? {} : { model }) });
  if (!isTrusted)
    await notice(
      context,
      'Not trusted: its hooks, servers and allow rules stay off, and this is an ordinary session.',
    );
  return post(context, '/sessions', body, sessionViewSchema);
}

/**
 * The set-up: directory, model, trust; then it starts Kairos where none runs, and makes the session. Until the last answer nothing
 * is changed: a daemon that was started to look at the directory is stopped again. Null: cancelled. Throws CommandFailure.
 */
export async function setUpSession(context: CliContext, asker: Asker): Promise<SessionView | null> {
  const dir = await askDirectory(context, asker);
  if (dir === null) return null;
  const runs = (await locateDaemon(context.home)).kind === 'running';
  if (runs) asker.tell('Looking for models…');
  const model = await askModel(asker, runs ? await get(context, '/models', modelsAnswerSchema) : null);
  if (model === null) return null;
  const daemon = await ensureDaemon(context, asker);
  try {
    const found = await get(context, `/trust?dir=${encodeURIComponent(dir)}`, trustAnswerSchema);
    const open = found.filter(({ state }) => state === 'open');
    const isTrusted = await askTrust(asker, dir, open);
    if (isTrusted === null) {
      await daemon.undo();
      return null;
    }
    for (const { dir: of, digest } of open)
      await post(context, '/trust', { dir: of, digest, trusted: isTrusted }, anyAnswerSchema);
    return await makeSession(context, { dir, model: model.ref, isTrusted });
  } catch (error) {
    await daemon.undo();
    throw error;
  }
}
