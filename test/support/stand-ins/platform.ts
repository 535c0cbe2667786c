import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Core } from '../../../electron/daemon/compose.ts';
import type { DeliveryPort } from '../../../electron/daemon/effects/delivery-port.ts';
import type { EffectRow } from '../../../electron/daemon/events/rows.ts';

/**
 * A chat platform made of files, loaded into a daemon that was built for crash tests. Messages wait in `inbox/` until they
 * are stored; what was sent is lines of `sent.jsonl`. Three surfaces differ in what they can tell after a crash.
 */
const surfaces = [
  { surface: 'standin-keyed', class: 'keyed' },
  { surface: 'standin-readback', class: 'readback' },
  { surface: 'standin-blind', class: 'blind' },
] as const;

export type StandInSurface = (typeof surfaces)[number]['surface'];

/** A message that waits at the platform. */
export interface Incoming {
  readonly uuid: string;
  readonly session: string;
  readonly surface: StandInSurface;
  readonly chat: string;
  readonly text: string;
}

/** Puts a message where the daemon finds it, also one that starts later. For the test's side. */
export function writeIncoming(folder: string, incoming: Incoming): void {
  mkdirSync(join(folder, 'inbox'), { recursive: true });
  writeFileSync(join(folder, 'outside.tmp'), JSON.stringify(incoming));
  renameSync(join(folder, 'outside.tmp'), join(folder, 'inbox', `${incoming.uuid}.json`));
}

interface SentLine {
  readonly effect: string;
  readonly key: string;
  readonly surface: string;
  readonly chat: string;
  readonly text: string;
}

function sentLines(path: string): SentLine[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as SentLine);
}

function print(path: string, effect: EffectRow): string {
  const line: SentLine = {
    effect: effect.id,
    key: effect.key,
    surface: effect.route?.surface ?? '',
    chat: effect.route?.chat ?? '',
    text: effect.text ?? '',
  };
  appendFileSync(path, `${JSON.stringify(line)}\n`);
  return `external-${effect.id}`;
}

function deliveryPort(
  { surface, class: effectClass }: (typeof surfaces)[number],
  path: string,
): DeliveryPort {
  const port: DeliveryPort = {
    surface,
    class: effectClass,
    send: async (effect) => ({ kind: 'sent', externalId: print(path, effect) }),
  };
  if (effectClass !== 'readback') return port;
  return {
    ...port,
    async lookup(effect) {
      const found = sentLines(path).some((line) => line.effect === effect.id);
      return found ? { found, externalId: `external-${effect.id}` } : { found };
    },
  };
}

async function admit({ store }: Core, incoming: Incoming): Promise<void> {
  const session = await store.session(incoming.session);
  if (!session) return;
  await store.admitWake({
    session: session.id,
    kind: 'channel',
    mode: 'after_turn',
    origin: { principal: 'stranger', trust: 'known', surface: incoming.surface },
    route: { surface: incoming.surface, chat: incoming.chat },
    dedupeKey: `${incoming.surface}:${incoming.uuid}`,
    text: incoming.text,
    message: incoming.uuid,
  });
}

/** Loaded by the daemon: registers the surfaces and takes in what waits, now and later. */
export async function attach(
  core: Core,
  env: Readonly<Record<string, string | undefined>>,
): Promise<() => Promise<void>> {
  const folder = env.KAIROS_STAND_IN_DIR;
  if (folder === undefined) throw new Error('KAIROS_STAND_IN_DIR is not set');
  const inbox = join(folder, 'inbox');
  mkdirSync(inbox, { recursive: true });
  for (const kind of surfaces) core.journal.register(deliveryPort(kind, join(folder, 'sent.jsonl')));
  let work = Promise.resolve();
  const takeAll = (): void => {
    work = work.then(async () => {
      for (const name of readdirSync(inbox).filter((each) => each.endsWith('.json'))) {
        await admit(core, JSON.parse(readFileSync(join(inbox, name), 'utf8')) as Incoming);
        // Acknowledged to the platform only once stored.
        rmSync(join(inbox, name), { force: true });
      }
    });
  };
  const watcher = watch(inbox, takeAll);
  takeAll();
  return async () => {
    watcher.close();
    await work;
  };
}
