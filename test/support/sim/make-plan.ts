import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import type { WakeMode } from '../../../shared/domain/wakes.ts';
import {
  type Action,
  daemonPoints,
  type Deed,
  faults,
  type Plan,
  platformNames,
  type SessionPlan,
  type VerdictHow,
  type Where,
  type WorkerPoint,
} from './plan.ts';
import { Random } from './random.ts';

const names = ['alpha', 'beta', 'gamma', 'delta'] as const;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The schedule of a seed. */
export function makePlan(seed: number): Plan {
  const random = new Random(seed, 'plan');
  const sessions = names
    .slice(
      0,
      random.weighted([
        [4, 1],
        [4, 2],
        [2, 3],
        [1, 4],
      ] as const),
    )
    .map(
      (name, index): SessionPlan => ({
        name,
        brief: (seed + index) % 3 !== 0,
        mode: random.chance(0.35) ? 'bypassPermissions' : 'default',
        model: random.weighted([
          [4, 'offline'],
          [4, 'wild'],
          [3, 'scripted'],
          [4, 'priced'],
        ] as const),
      }),
    );
  const length = random.weighted([
    [3, 6],
    [4, 14],
    [2, 30],
    [1, 60],
  ] as const);
  // Each schedule has its own temper: some crash much, some are about people, some about time.
  const temper = random.pick(tempers);
  const deeds = Array.from({ length }, () => makeDeed(random, temper));
  return {
    seed,
    sessions,
    capacity: random.pick([1, 1, 2, 3, 8]),
    hibernateSeconds: random.pick([1, 5, 60, 600]),
    promptSeconds: random.pick([60, 600, 86_400, 86_400, 86_400, 86_400]),
    slowReads: random.chance(0.15),
    budgets: {
      dayUsd: random.pick([null, null, 0.06, 0.2]),
      sessionDayTokens: random.pick([null, null, null, 700, 2_000]),
    },
    actions: [firstSend(random), ...deeds].map((deed): Action => ({ ...deed, steps: gap(random) })),
  };
}

function gap(random: Random): number {
  return random.weighted([
    [3, () => 0],
    [4, () => random.below(6)],
    [3, () => random.below(40)],
    [1, () => 400],
  ] as const)();
}

type Maker = (random: Random) => Deed;
type Temper = readonly (readonly [number, Maker])[];

const firstSend: Maker = (random) => ({ ...send(random), session: 0 });

function send(random: Random): Deed & { do: 'send' } {
  return {
    do: 'send',
    session: random.below(4),
    text: text(random),
    uuid: `uuid-${random.bits().toString(36)}-${random.bits().toString(36)}`,
    queue: queue(random),
    trust: random.chance(0.85) ? 'owner' : 'known',
  };
}

function queue(random: Random): WakeMode {
  return random.weighted([
    [5, 'next_step'],
    [2, 'after_turn'],
    [1, 'replace'],
  ] as const);
}

function where(random: Random): Where {
  if (random.chance(0.1)) return null;
  return { platform: random.pick(platformNames), chat: random.pick(['c1', 'c2']) };
}

const channel: Maker = (random) => ({
  do: 'channel',
  session: random.below(4),
  where: where(random),
  text: text(random),
  id: `post-${random.bits().toString(36)}`,
  queue: queue(random),
  kind: random.weighted([
    [6, 'channel'],
    [2, 'schedule'],
    [1, 'webhook'],
  ] as const),
  inMs: random.weighted([
    [5, () => 0],
    [1, () => random.between(1, 10 * minute)],
  ] as const)(),
});

function how(random: Random): VerdictHow {
  const ways = [
    [7, 'allow'],
    [2, 'deny'],
    [2, 'session'],
    [1, 'always'],
    [3, 'answer'],
    [1, 'wrong_code'],
    [1, 'stale'],
    [1, 'wrong_kind'],
  ] as const;
  return random.weighted(ways);
}

const verdict: Maker = (random) => ({
  do: 'verdict',
  pick: random.below(8),
  how: how(random),
  from: random.pick(['viewers', 'phone']),
  owner: random.chance(0.6),
  rival: random.chance(0.3) ? how(random) : null,
});

function span(random: Random): number {
  return random.weighted([
    [3, () => random.below(second)],
    [3, () => random.below(minute)],
    [3, () => random.below(hour)],
    [1, () => random.below(2 * hour)],
  ] as const)();
}

/** The wall clock is set, or the machine sleeps: only forwards, and told apart by the time since boot. */
const jump: Maker = (random) => {
  const ms = random.weighted([
    [2, () => random.below(2 * day)],
    [2, () => -random.below(hour)],
    [1, () => -random.below(3 * day)],
    [2, () => random.below(10 * minute)],
  ] as const)();
  return { do: ms > 0 && ms % 2 === 0 ? 'nap' : 'jump', ms };
};

const mode = (random: Random): PermissionMode => (random.chance(0.5) ? 'default' : 'bypassPermissions');
const downMs = (random: Random): number =>
  random.weighted([
    [8, 0],
    [4, 500],
    [2, 30 * second],
    [0.5, 30 * hour],
  ] as const);

const people: Temper = [
  [8, send],
  [2, (random) => ({ do: 'send_again', pick: random.below(8) })],
  [8, verdict],
  [2, (random) => ({ do: 'interrupt', session: random.below(4) })],
  [
    2,
    (random) => ({
      do: 'pause',
      session: random.chance(0.4) ? null : random.below(4),
      on: random.chance(0.55),
    }),
  ],
  [1, (random) => ({ do: 'mode', session: random.below(4), mode: mode(random) })],
  [1, (random) => ({ do: 'rename', session: random.below(4), name: `name-${random.below(5)}` })],
  [1, (random) => ({ do: 'retry', session: random.below(4) })],
  [1, (random) => ({ do: 'warm', session: random.below(4) })],
  [1, () => ({ do: 'revoke' })],
  [1, (random) => ({ do: 'raise', session: random.below(4), limit: random.pick(['day', 'tokens']) })],
  [
    1,
    (random) => ({
      do: 'teammate',
      session: random.below(4),
      text: text(random),
      id: `mate-${random.bits().toString(36)}`,
    }),
  ],
];
const platforms: Temper = [
  [9, channel],
  [1, (random) => ({ do: 'channel_again', pick: random.below(8) })],
  [4, (random) => ({ do: 'platform', platform: random.pick(platformNames), fault: random.pick(faults) })],
  [1, () => ({ do: 'surface' })],
];
const passing: Temper = [
  [5, (random) => ({ do: 'pass', ms: span(random) })],
  [2, jump],
];
const crashes: Temper = [
  [3, (random) => ({ do: 'kill_worker', pick: random.below(4) })],
  [
    3,
    (random) => ({
      do: 'arm_worker',
      point: random.weighted(workerPlaces),
      nth: random.below(4),
      times: random.weighted([
        [5, 1],
        [1, 2],
        [3, 3],
      ] as const),
    }),
  ],
  [2, (random) => ({ do: 'kill_daemon', downMs: downMs(random) })],
  [
    4,
    (random) => ({
      do: 'arm_daemon',
      point: random.pick(daemonPoints),
      nth: random.below(6),
      downMs: downMs(random),
    }),
  ],
  [1, (random) => ({ do: 'restart', downMs: downMs(random) })],
];
/** Where a worker dies: most often where it matters. */
const workerPlaces: readonly (readonly [number, WorkerPoint])[] = [
  [1, 'boot'],
  [3, 'tool.before'],
  [4, 'tool.effect'],
  [1, 'model.before'],
  [1, 'model.after'],
  [2, 'frame.sent'],
  [1, 'task.ended'],
];
const rare: Temper = [
  [2, (random) => ({ do: 'disk', full: random.chance(0.6) })],
  [1, () => ({ do: 'model_down' })],
  [1, (random) => ({ do: 'archive', session: random.below(4) })],
  [1, (random) => ({ do: 'hang_worker', pick: random.below(4) })],
  [1, (random) => ({ do: 'host', broken: random.chance(0.6) })],
];

const scaled = (temper: Temper, by: number): Temper =>
  temper.map(([weight, maker]) => [weight * by, maker] as const);
const mixed = (weights: readonly [number, number, number, number, number]): Temper =>
  [people, platforms, passing, crashes, rare].flatMap((temper, index) => scaled(temper, weights[index] ?? 0));

const tempers: readonly Temper[] = [
  mixed([3, 1.5, 1, 1, 0.3]),
  mixed([2, 1.5, 1, 2, 0.3]),
  mixed([1, 3, 1, 1, 0.3]),
  mixed([2, 1, 3, 0.5, 0.3]),
  mixed([3, 0, 1, 0, 0]),
  mixed([2, 2, 1, 2, 2]),
  mixed([2, 0, 0.5, 4, 0]),
];

function makeDeed(random: Random, temper: Temper): Deed {
  return random.weighted(temper)(random);
}

const lines: readonly ((random: Random) => string)[] = [
  (random) => `run bump ${random.pick(['a', 'b', 'c'])}`,
  (random) => `run bump ${random.pick(['a', 'b', 'c'])} ${random.pick([1, 5, 90])}`,
  () => 'run fail',
  (random) => `run task ${random.pick([1, 20, 400])}`,
  () => 'run free',
  () => 'run forbidden',
  () => 'run kairos daemon stop',
  (random) => `run bump long ${'x'.repeat(random.between(150, 400))}`,
  (random) => `write ${random.pick(['f', 'g'])}.txt: ${random.below(1000)}`,
  (random) => `edit ${random.pick(['f', 'g'])}.txt: 1 => ${random.below(100)}`,
  (random) => `read ${random.pick(['f', 'g', 'none'])}.txt`,
  (random) => `ask me What now ${random.below(100)}?`,
  () => 'ask me Which one? [Red | Blue]',
  (random) => `sleep ${random.pick(['2 seconds', '40s', '20 min', '5 h', '2 d'])}`,
  () => 'help',
  (random) =>
    random.chance(0.9) ? 'read f.txt' : `write big.txt: ${'long '.repeat(random.between(4_000, 12_000))}`,
  () => 'good morning',
];

function text(random: Random): string {
  const count = random.weighted([
    [5, 1],
    [3, 2],
    [1, 4],
  ] as const);
  return Array.from({ length: count }, () => random.pick(lines)(random)).join('\n');
}
