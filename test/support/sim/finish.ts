import type { PromptRow } from '../../../electron/daemon/events/rows.ts';
import type { Daemon, World } from './world.ts';
import { selfOrigin } from '../../../shared/domain/origin-route.ts';
import { passTime } from './pass-time.ts';
import { raiseForGood } from './raise.ts';
import { answer } from './verdicts.ts';

/** Rounds in which everything must have come to its end. */
const mostRounds = 80;
const minute = 60_000;

/** Everything heals: the disk has room, platforms answer, nobody crashes; open prompts are answered and time passes until nothing is left to do. */
export async function finish(world: World): Promise<void> {
  heal(world);
  await waitForDaemon(world);
  await resumeAll(world);
  await passTime(world, 3 * minute);
  if (world.ledgers.hangs > 0) await interruptAll(world);
  if (world.daemon?.started) world.connectPhone(world.daemon);
  await passTime(world, minute);
  for (let round = 0; round < mostRounds; round += 1) {
    const daemon = await waitForDaemon(world);
    if (!daemon) return;
    const left = await leftToDo(daemon);
    if (left.length === 0) return rest(world, daemon);
    if (round === mostRounds - 1)
      world.ledgers.alarms.push(`not everything came to its end: ${left.join('; ')}`);
    await unparkAll(world, daemon);
    await answerAll(world, daemon);
    await passTime(world, minute);
    await sleepUntilDue(world, daemon);
  }
}

function heal(world: World): void {
  world.calm = true;
  world.disk.full = false;
  world.faults.modelDown = false;
  world.faults.hostBroken = false;
  world.armedDaemon.clear();
  world.armedWorker.clear();
  for (const platform of Object.values(world.platforms)) platform.fault = 'none';
}

async function waitForDaemon(world: World): Promise<Daemon | null> {
  for (let wait = 0; wait < 100; wait += 1) {
    if (world.daemon?.started && !world.daemon.stopping) return world.daemon;
    await passTime(world, wait < 20 ? 1000 : 30 * minute);
  }
  world.ledgers.alarms.push('the daemon does not come up');
  return null;
}

async function resumeAll(world: World): Promise<void> {
  const { daemon } = world;
  if (!daemon) return;
  const work = async (): Promise<void> => {
    const last = world.ledgers.pauses.at(-1);
    if (last?.until === null) last.until = (await daemon.store.health()).events;
    await daemon.core.commands.setPaused(null, false);
    for (const { session } of await daemon.store.summaries()) {
      if (session.paused) await daemon.core.commands.setPaused(session.id, false);
    }
  };
  await driven(world, work());
}

/** Runs the scheduler until the work is done. */
async function driven(world: World, work: Promise<unknown>): Promise<void> {
  let done = false;
  work.then(
    () => (done = true),
    (error: unknown) => {
      done = true;
      world.ledgers.alarms.push(`at the end: ${String(error)}`);
    },
  );
  for (let wait = 0; wait < 200 && !done; wait += 1) await passTime(world, 100);
  if (!done) world.ledgers.alarms.push('at the end a command was never answered');
}

async function leftToDo(daemon: Daemon): Promise<string[]> {
  const { store } = daemon;
  const sessions = await store.summaries({});
  const left = sessions.flatMap(({ session, pending, openPrompts, nextWakeAt }) => {
    const tasks = session.tasks?.running.length ?? 0;
    const busy = session.turn !== null || pending > 0 || openPrompts > 0 || nextWakeAt !== null || tasks > 0;
    return busy
      ? [
          `${session.name}: ${session.turn ? 'in a turn' : ''} pending ${pending}, prompts ${openPrompts}, tasks ${tasks}${session.parked ? `, parked ${session.parked.code}` : ''}`,
        ]
      : [];
  });
  const effects = await store.openEffects();
  return [...left, ...effects.map((effect) => `${effect.kind} ${effect.id} ${effect.state}`)];
}

/** Nobody notices a worker that hangs but the person: interrupting has to help. */
async function interruptAll(world: World): Promise<void> {
  const { daemon } = world;
  if (!daemon) return;
  for (const { session } of await daemon.store.summaries()) {
    if (session.turn && !session.parked)
      await driven(world, daemon.core.commands.interrupt(session.id, selfOrigin));
  }
}

/** With nothing to do, everything sleeps and nothing is left over. */
async function rest(world: World, daemon: Daemon): Promise<void> {
  await passTime(world, (world.plan.hibernateSeconds + 30) * 1000);
  const { core, store, workers } = daemon;
  const found: string[] = [];
  if (workers.size > 0 && world.ledgers.hangs === 0) found.push(`${workers.size} workers are still there`);
  const runnable = await store.runnable();
  if (runnable.length > 0) found.push(`${runnable.join()} could run`);
  if ((await store.nextDue()) !== null) found.push('something is still due');
  for (const { session } of await store.summaries()) {
    if (core.board.live(session.id).leased && world.ledgers.hangs === 0)
      found.push(`${session.id} is still leased`);
    if (core.board.draft(session.id) !== null) found.push(`${session.id} still has a draft`);
  }
  for (const entry of world.ledgers.written) {
    if (entry.kind !== 'person' || !entry.tries.some((attempt) => attempt.answer === 'stored')) continue;
    const asked = core.commands.messageAnswer(entry.message).then(({ state }) => {
      if (state !== 'settled') found.push(`message ${entry.message} is called ${state}`);
    });
    await driven(world, asked);
  }
  world.ledgers.alarms.push(...found.map((what) => `at rest: ${what}`));
}

async function unparkAll(world: World, daemon: Daemon): Promise<void> {
  for (const { session } of await daemon.store.summaries()) {
    if (session.parked?.code === 'budget') await driven(world, raiseForGood(world, daemon, session));
    else if (session.parked) await driven(world, daemon.core.commands.retry(session.id));
  }
}

async function answerAll(world: World, daemon: Daemon): Promise<void> {
  for (const prompt of await daemon.store.prompts({ state: 'open', limit: 100 })) {
    const shown = world.ledgers.shown.get(prompt.id);
    if (!shown?.offered.includes(daemon.life.name))
      world.ledgers.alarms.push(`open prompt ${prompt.id} was not offered to the phone after its return`);
    if (shown && !shown.whole) await mustBeRefused(world, daemon, prompt);
    const from = shown?.whole && world.random.chance(0.4) ? 'phone' : 'viewers';
    // What has no rule to keep can be allowed once only.
    const longer = prompt.kind === 'approval' && prompt.rule !== null && from === 'viewers';
    const how = world.random.weighted([
      [5, 'allow'],
      [longer ? 2 : 0, 'session'],
      [3, 'deny'],
    ] as const);
    const before = world.ledgers.given.length;
    await driven(world, answer(world, daemon, prompt, how, { from, owner: from === 'viewers' }));
    const given = world.ledgers.given[before];
    const outcome =
      given && given.answer !== null && given.answer !== 'failed' ? given.answer.outcome : 'none';
    const fresh = await daemon.store.prompt(prompt.id);
    const gone = fresh?.state === 'withdrawn' || fresh?.state === 'expired';
    if (outcome !== 'accepted' && !gone)
      world.ledgers.alarms.push(`open prompt ${prompt.id} could not be answered: ${outcome}`);
  }
}

/** What was not shown whole cannot be allowed there. */
async function mustBeRefused(world: World, daemon: Daemon, prompt: PromptRow): Promise<void> {
  const before = world.ledgers.given.length;
  await driven(world, answer(world, daemon, prompt, 'allow', { from: 'phone', owner: false }));
  const given = world.ledgers.given[before]?.answer;
  if (typeof given === 'object' && given?.outcome === 'accepted')
    world.ledgers.alarms.push(`prompt ${prompt.id} was allowed where it was not shown whole`);
}

/** The machine sleeps until the next thing is due: the wall clock jumps, and a minute later it must have been noticed. */
async function sleepUntilDue(world: World, daemon: Daemon): Promise<void> {
  if (!daemon.life.alive || (await daemon.store.prompts({ state: 'open', limit: 1 })).length > 0) return;
  const due = await daemon.store.nextDue();
  if (due !== null && due > world.time.wall) world.time.sleep(due - world.time.wall);
  await passTime(world, minute + 1000);
}
