import { assertNever } from '../../../shared/base/assert-never.ts';
import type { SessionRow } from '../../../electron/daemon/events/rows.ts';
import { errorCode, errorMessage, KairosError } from '../../../shared/base/errors.ts';
import { type Origin, type Route, routeKey, viewersRoute } from '../../../shared/domain/origin-route.ts';
import type { Written } from './ledgers.ts';
import type { Deed, Where } from './plan.ts';
import { raise } from './raise.ts';
import { giveVerdict } from './verdicts.ts';
import type { Daemon, World } from './world.ts';

const owner: Origin = { principal: 'owner', trust: 'owner', surface: 'viewers' };

type Fate = Extract<
  Deed,
  {
    do:
      | 'jump'
      | 'nap'
      | 'pass'
      | 'kill_worker'
      | 'hang_worker'
      | 'arm_worker'
      | 'arm_daemon'
      | 'kill_daemon'
      | 'restart'
      | 'surface'
      | 'disk'
      | 'platform'
      | 'model_down'
      | 'host';
  }
>;
type Word = Extract<Deed, { do: 'send' | 'send_again' | 'channel' | 'channel_again' | 'teammate' }>;
type Command = Exclude<Deed, Fate | Word>;

/** Does one thing of the plan; what becomes of it is written down, never awaited. */
export function perform(world: World, deed: Deed): void {
  if (isWord(deed)) return say(world, deed);
  if (!isCommand(deed)) return befall(world, deed);
  const { daemon } = world;
  if (daemon) expectFaults(world, daemon, command(world, daemon, deed));
}

function isWord(deed: Deed): deed is Word {
  return ['send', 'send_again', 'channel', 'channel_again', 'teammate'].includes(deed.do);
}

function isCommand(deed: Exclude<Deed, Word>): deed is Command {
  const commands = [
    'verdict',
    'pause',
    'interrupt',
    'retry',
    'warm',
    'archive',
    'mode',
    'rename',
    'revoke',
    'raise',
  ];
  return commands.includes(deed.do);
}

function nameOf(world: World, session: number): string {
  const { sessions } = world.plan;
  return sessions[session % sessions.length]?.name ?? 'alpha';
}

function say(world: World, deed: Word): void {
  switch (deed.do) {
    case 'send':
      return write(world, sendEntry(nameOf(world, deed.session), deed), deed);
    case 'channel':
      return write(world, channelEntry(nameOf(world, deed.session), deed), deed);
    case 'teammate':
      return write(world, teammateEntry(nameOf(world, deed.session), deed), deed);
    case 'send_again':
    case 'channel_again':
      return writeAgain(world, deed);
    default:
      assertNever(deed, 'word');
  }
}

function command(world: World, daemon: Daemon, deed: Command): Promise<unknown> {
  const { commands } = daemon.core;
  if (deed.do === 'verdict') return giveVerdict(world, daemon, deed);
  if (deed.do === 'revoke') return revoke(world, daemon);
  if (deed.do === 'raise') return raise(world, daemon, nameOf(world, deed.session), deed.limit);
  const name = nameOf(world, deed.session ?? 0);
  switch (deed.do) {
    case 'pause':
      return pause(world, daemon, deed.session === null ? null : name, deed.on);
    case 'interrupt':
      return interrupt(world, daemon, name);
    case 'retry':
    case 'archive':
      return commands[deed.do](name);
    case 'warm':
      return warm(daemon, name);
    case 'mode':
      return commands.setMode(name, deed.mode);
    case 'rename':
      return commands.rename(name, deed.name);
    default:
      return assertNever(deed, 'command');
  }
}

function befall(world: World, deed: Fate): void {
  switch (deed.do) {
    case 'jump':
      return world.time.jump(deed.ms);
    case 'nap':
      return world.time.sleep(deed.ms);
    case 'pass':
      // Time passes in `runSchedule`.
      return;
    case 'kill_worker':
      return world.killWorker(deed.pick);
    case 'hang_worker':
      return world.hangWorker(deed.pick);
    case 'arm_worker':
      return world.armedWorker.add(deed.point, deed.nth, deed.times);
    case 'arm_daemon':
      return world.armDaemon(deed.point, deed.nth, deed.downMs);
    case 'kill_daemon':
      return world.crash(deed.downMs);
    case 'restart':
      return world.restart(deed.downMs);
    case 'surface':
      return world.daemon?.started ? world.connectPhone(world.daemon) : undefined;
    case 'disk':
      world.disk.full = deed.full;
      world.ledgers.diskWasFull ||= deed.full;
      return;
    case 'platform':
      world.platforms[deed.platform].fault = deed.fault;
      return;
    case 'model_down':
      world.faults.modelDown = true;
      return;
    case 'host':
      world.faults.hostBroken = deed.broken;
      return;
    default:
      assertNever(deed, 'fate');
  }
}

type Sent = Extract<Deed, { do: 'send' }>;
type Posted = Extract<Deed, { do: 'channel' | 'teammate' }>;

function sendEntry(session: string, deed: Sent): Written {
  return {
    kind: 'person',
    message: deed.uuid,
    dedupeKey: `message:${deed.uuid}`,
    session,
    text: deed.text,
    owner: deed.trust === 'owner',
    routeKey: routeKey(viewersRoute),
    tries: [],
  };
}

function channelEntry(session: string, deed: Extract<Deed, { do: 'channel' }>): Written {
  return {
    kind: deed.kind,
    message: deed.id,
    dedupeKey: `post:${deed.id}`,
    session,
    text: deed.text,
    owner: false,
    routeKey: routeKey(routeOf(deed.where)),
    tries: [],
  };
}

function teammateEntry(session: string, deed: Extract<Deed, { do: 'teammate' }>): Written {
  return {
    kind: 'teammate',
    message: deed.id,
    dedupeKey: `post:${deed.id}`,
    session: `${session}-mate`,
    text: deed.text,
    owner: false,
    routeKey: routeKey(viewersRoute),
    tries: [],
  };
}

function routeOf(where: Where): Route {
  return where === null ? viewersRoute : { surface: where.platform, chat: where.chat };
}

const deeds = new WeakMap<Written, Sent | Posted>();

function write(world: World, entry: Written, deed: Sent | Posted): void {
  world.ledgers.written.push(entry);
  deeds.set(entry, deed);
  attempt(world, entry, deed);
}

function writeAgain(world: World, deed: { do: string; pick: number }): void {
  const known = world.ledgers.written.filter(
    (entry) => (entry.kind === 'person') === (deed.do === 'send_again'),
  );
  const entry = known[deed.pick % Math.max(1, known.length)];
  const first = entry && deeds.get(entry);
  if (entry && first) attempt(world, entry, first);
}

function attempt(world: World, entry: Written, deed: Sent | Posted): void {
  const { daemon } = world;
  const result: Written['tries'][number] = { answer: null, code: '', session: null };
  entry.tries.push(result);
  if (!daemon) return;
  const work = deed.do === 'send' ? send(world, daemon, entry, deed) : post(world, daemon, entry, deed);
  work.then(
    (session) => {
      if (daemon.life.alive) Object.assign(result, { answer: 'stored', session });
    },
    (error: unknown) => {
      if (!daemon.life.alive) return;
      Object.assign(result, { answer: 'refused', code: errorCode(error) });
      alarmUnless(world, daemon, error);
    },
  );
}

async function send(world: World, daemon: Daemon, entry: Written, deed: Sent): Promise<string> {
  const { text, uuid, queue, trust } = deed;
  const { mode, model, brief } = sessionPlan(world, entry.session);
  const origin: Origin = { principal: trust, trust, surface: 'viewers' };
  const exists = await daemon.store.session(entry.session);
  const terms = exists ? {} : { mode, model, brief };
  const answer = await daemon.core.commands.send(
    { text, uuid, queue, session: entry.session, ...terms },
    origin,
  );
  return answer.session;
}

function sessionPlan(world: World, name: string): World['plan']['sessions'][number] {
  return (
    world.plan.sessions.find((session) => session.name === name) ?? {
      name,
      mode: 'default',
      model: 'offline',
      brief: true,
    }
  );
}

async function post(world: World, daemon: Daemon, entry: Written, deed: Posted): Promise<string> {
  const { store, core } = daemon;
  const { mode, model, brief } = sessionPlan(world, entry.session);
  const named = { name: entry.session, dir: null, kind: 'interactive', mode, model, brief } as const;
  const found = await store.session(entry.session);
  const session =
    found ??
    (deed.do === 'teammate'
      ? await createTeammate(world, daemon, entry)
      : await core.commands.createSession(named));
  const where = deed.do === 'channel' ? deed.where : null;
  const { wake } = await store.admitWake({
    session: session.id,
    kind: deed.do === 'channel' ? deed.kind : 'teammate',
    mode: deed.do === 'channel' ? deed.queue : 'next_step',
    origin: { principal: 'somebody', trust: 'known', surface: where?.platform ?? 'viewers' },
    route: routeOf(where),
    dedupeKey: entry.dedupeKey,
    text: deed.text,
    message: deed.id,
    ...(deed.do === 'channel' && deed.inMs > 0 ? { availableAt: world.time.wall + deed.inMs } : {}),
  });
  return wake.session;
}

/** A teammate is a session of its own that shares its lead's worker. */
async function createTeammate(world: World, daemon: Daemon, { session }: Written): Promise<SessionRow> {
  const lead = await daemon.store.session(session.replace('-mate', ''));
  if (!lead) throw new KairosError('not_found', 'There is no lead.');
  const { mode, model, brief } = sessionPlan(world, session.replace('-mate', ''));
  return daemon.store.createSession({
    name: session,
    kind: 'daemon-worker',
    workerType: 'kairos',
    parent: lead.id,
    dir: '/w',
    mode,
    model,
    brief,
  });
}

async function revoke(world: World, daemon: Daemon): Promise<void> {
  const rules = await daemon.store.rules(null);
  const rule = rules[0];
  if (!rule) return;
  world.ledgers.revoked.add(rule.id);
  await daemon.store.revokeRule(rule.id);
}

async function interrupt({ ledgers }: World, daemon: Daemon, name: string): Promise<void> {
  const session = await daemon.store.session(name);
  if (session) ledgers.interruptsTried.add(session.id);
  if (!(await daemon.core.commands.interrupt(session?.id ?? name, owner)) || !session) return;
  ledgers.interrupts.set(session.id, (ledgers.interrupts.get(session.id) ?? 0) + 1);
}

/** A pause holds for the oracle from when it was confirmed until somebody asked to end it. */
async function pause(world: World, daemon: Daemon, session: string | null, on: boolean): Promise<void> {
  const { ledgers } = world;
  if (session !== null) return void (await daemon.core.commands.setPaused(session, on));
  const order = (ledgers.pauseOrders += 1);
  const last = ledgers.pauses.at(-1);
  if (!on && last?.until === null) last.until = await lastEvent(daemon);
  await daemon.core.commands.setPaused(null, on);
  const from = await lastEvent(daemon);
  if (on && daemon.life.alive && ledgers.pauseOrders === order) ledgers.pauses.push({ from, until: null });
}

async function lastEvent(daemon: Daemon): Promise<number> {
  return (await daemon.store.health()).events;
}

async function warm(daemon: Daemon, name: string): Promise<void> {
  const session = await daemon.store.session(name);
  if (session) daemon.core.registry.warm(session.id);
}

const fair = new Set(['not_found', 'name_taken', 'uuid_taken', 'closed', 'stale']);

function expectFaults(world: World, daemon: Daemon, work: Promise<unknown>): void {
  work.catch((error: unknown) => alarmUnless(world, daemon, error));
}

/** Refusals are fair; anything else is a fault of the daemon. */
function alarmUnless(world: World, daemon: Daemon, error: unknown): void {
  if (!daemon.life.alive || fair.has(errorCode(error)) || errorCode(error) === 'disk_full') return;
  world.ledgers.alarms.push(`a command failed: ${errorCode(error)} ${errorMessage(error)}`);
}
