import type { PromptRow } from '../../../electron/daemon/events/rows.ts';
import type { AnsweredBy, Verdict } from '../../../shared/domain/prompts.ts';
import type { Given } from './ledgers.ts';
import type { Deed, VerdictHow } from './plan.ts';
import type { Daemon, World } from './world.ts';

type VerdictDeed = Extract<Deed, { do: 'verdict' }>;

/** Somebody decides, perhaps two people at the same instant. */
export async function giveVerdict(world: World, daemon: Daemon, deed: VerdictDeed): Promise<void> {
  const open = await daemon.store.prompts({ state: 'open', limit: 100 });
  const closed =
    deed.how === 'stale' || deed.rival === 'stale'
      ? await daemon.store.prompts({ state: 'closed', limit: 100 })
      : [];
  const { from, owner } = deed;
  const answers = [
    answer(world, daemon, choose(deed.how, deed.pick, open, closed), deed.how, { from, owner }),
  ];
  if (deed.rival !== null) {
    const other = from === 'viewers' ? 'phone' : 'viewers';
    answers.push(
      answer(world, daemon, choose(deed.rival, deed.pick, open, closed), deed.rival, {
        from: other,
        owner: other === 'viewers',
      }),
    );
  }
  await Promise.all(answers);
}

function choose(
  how: VerdictHow,
  pick: number,
  open: readonly PromptRow[],
  closed: readonly PromptRow[],
): PromptRow | null {
  const from = how === 'stale' ? closed : open;
  return from[pick % Math.max(1, from.length)] ?? null;
}

/** Gives a verdict on a prompt and writes down what came of it. */
export async function answer(
  world: World,
  daemon: Daemon,
  prompt: PromptRow | null,
  how: VerdictHow,
  { from, owner }: { from: 'viewers' | 'phone'; owner: boolean },
): Promise<void> {
  if (!prompt) return;
  const code = how === 'wrong_code' ? 'zzzzz' : prompt.code;
  const by: AnsweredBy = {
    surface: from,
    principal: from === 'phone' ? 'somebody' : 'owner',
    at: world.time.wall,
  };
  const verdict = verdictOf(how, prompt);
  const entry: Given = {
    prompt: prompt.id,
    code,
    verdict,
    by,
    owner: owner && from === 'viewers',
    answer: null,
  };
  world.ledgers.given.push(entry);
  try {
    const outcome = await daemon.core.broker.verdict(code, verdict, by, entry.owner);
    if (daemon.life.alive) entry.answer = outcome;
  } catch (error) {
    if (daemon.life.alive) entry.answer = 'failed';
    throw error;
  }
}

function verdictOf(how: VerdictHow, prompt: PromptRow): Verdict {
  const question = prompt.kind === 'question';
  switch (how) {
    case 'deny':
      return { behavior: 'deny', reason: 'no' };
    case 'session':
    case 'always':
      return { behavior: 'allow', scope: how };
    case 'answer':
    case 'allow':
    case 'wrong_code':
    case 'stale':
      return question ? { behavior: 'answer', text: 'B' } : { behavior: 'allow', scope: 'once' };
    case 'wrong_kind':
      return question ? { behavior: 'allow', scope: 'once' } : { behavior: 'answer', text: 'yes' };
  }
}
