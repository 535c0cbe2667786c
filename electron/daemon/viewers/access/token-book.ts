import { timingSafeEqual } from 'node:crypto';
import { errorMessage } from '../../../../shared/base/errors.ts';
import type { Clock, Ids, Log, Sha256 } from '../../../../shared/base/ports.ts';
import type { Scope } from '../../../../shared/protocol/bridge.ts';
import type { DeviceVerbs } from '../../events/device-port.ts';
import type { DeviceRow } from '../../events/rows.ts';
import { lineOf } from '../../events/verbs/devices.ts';
import { ownerPrincipal, type Principal } from './principal.ts';
import { windowsToRemove } from './window-life.ts';

/** What a new device is; `maker`: who wished it, it ends with them. */
export interface DeviceWish {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly maker: Principal;
  readonly window: boolean;
}

/** Knows every valid token: the owner's, and the hashes of the devices'. */
export interface TokenBook {
  /** The owner token of this run, for `daemon.json`. */
  readonly ownerToken: string;
  /** Reads the devices; once, before the first request. Only the bridge adds and revokes them. */
  load(): Promise<void>;
  /** Whose token it is, or null. Compares every candidate in constant time. */
  identify(token: string): Principal | null;
  /** Rejects with `not_allowed` when its maker was ended meanwhile. */
  addDevice(wish: DeviceWish): Promise<{ device: DeviceRow; token: string }>;
  /** Ends it with all that it made; false when there is no such device or it was revoked before. */
  revokeDevice(id: string): Promise<boolean>;
  /** Removes windows that nobody uses any more. */
  tidyWindows(): Promise<void>;
  /**
   * Makes a new owner token and announces it; after that the old one fails. When that fails the old one stays. One at a time,
   * so that the last token announced is the one that is good.
   */
  rotate(): Promise<void>;
}

/** What the book is made of. */
export interface TokenBookOptions {
  readonly store: DeviceVerbs;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'random'>;
  readonly sha256: Sha256;
  readonly log: Log;
  /** Tells the new owner token to the one who writes `daemon.json`. */
  readonly announce: (token: string) => Promise<void>;
  /** These devices are valid no more: their tickets and connections have to end. */
  readonly ended: (devices: readonly string[]) => void;
  /** Devices that have a WebSocket open. */
  readonly connected: () => ReadonlySet<string>;
}

/** While a device is used, that is noted at most this often (wall ms). */
const noteSeenMs = 60 * 60 * 1000;

/** A book with a new owner token and no devices yet. */
export function createTokenBook(options: TokenBookOptions): TokenBook {
  const { ids, sha256 } = options;
  const devices = createDeviceBook(options);
  let ownerToken = ids.random(32);
  let ownerHash = sha256(ownerToken);
  let nextHash: string | null = null;
  let rotated: Promise<void> = Promise.resolve();
  const rotateOnce = async (): Promise<void> => {
    const token = ids.random(32);
    const hash = sha256(token);
    // Both are good while the new one is being written: who reads the file a moment early is not refused.
    nextHash = hash;
    try {
      await options.announce(token);
      ownerHash = hash;
      ownerToken = token;
    } finally {
      nextHash = null;
    }
  };
  return {
    ...devices,
    get ownerToken() {
      return ownerToken;
    },
    identify(token) {
      const hash = sha256(token);
      const owner = sameHash(hash, ownerHash) || (nextHash !== null && sameHash(hash, nextHash));
      const device = devices.find(hash);
      return owner ? ownerPrincipal : device;
    },
    rotate() {
      // A failed one was told to whoever asked for it.
      const own = rotated.catch(() => undefined).then(rotateOnce);
      rotated = own;
      return own;
    },
  };
}

type DeviceBook = Pick<TokenBook, 'load' | 'addDevice' | 'revokeDevice' | 'tidyWindows'> & {
  /** Whose token has this hash. */
  find(hash: string): Principal | null;
};

function createDeviceBook({ store, clock, ids, sha256, log, ...options }: TokenBookOptions): DeviceBook {
  const valid = new Map<string, DeviceRow>();
  const end = (ended: readonly string[]): void => {
    for (const id of ended) valid.delete(id);
    options.ended(ended);
  };
  const see = (used: Iterable<string>): void => {
    const seen = noteSeen(valid, used, clock.now());
    if (seen.length === 0) return;
    store.seeDevices(seen).catch((error: unknown) => {
      log.warn({ reason: errorMessage(error) }, 'it could not be noted that a device is used');
    });
  };
  const tidyWindows = async (): Promise<void> => {
    const rows = await store.devices();
    const connected = options.connected();
    see(connected);
    const known = rows.map((row) => valid.get(row.id) ?? row);
    const removed = windowsToRemove(known, { now: clock.now(), connected });
    if (removed.length === 0) return;
    for (const id of removed) adopt(valid, id);
    end(removed);
    await store.removeDevices(removed);
  };
  return {
    async load() {
      for (const row of await store.devices()) if (row.revokedAt === null) valid.set(row.id, row);
    },
    tidyWindows: () =>
      tidyWindows().catch((error: unknown) => {
        log.warn({ reason: errorMessage(error) }, 'unused windows could not be removed');
      }),
    find(hash) {
      let found: DeviceRow | null = null;
      for (const device of valid.values()) if (sameHash(hash, device.tokenHash)) found ??= device;
      if (!found) return null;
      see([found.id]);
      return { device: { id: found.id, name: found.name }, scopes: new Set(found.scopes) };
    },
    async addDevice({ name, scopes, maker, window }) {
      const token = ids.random(32);
      const made = { name, scopes: [...scopes], madeBy: maker.device?.id ?? null, window };
      const device = await store.addDevice({ ...made, tokenHash: sha256(token) });
      valid.set(device.id, device);
      return { device, token };
    },
    async revokeDevice(id) {
      // Out of the memory first: whatever the disk says, these tokens open nothing any more.
      end(lineOf([...valid.values()], id));
      const ended = await store.revokeDevice(id);
      // With those that were being made meanwhile.
      end(ended);
      return ended.length > 0;
    },
  };
}

/** Of the used devices those whose use was not noted within the hour; notes it in `valid`. */
function noteSeen(valid: Map<string, DeviceRow>, used: Iterable<string>, now: number): string[] {
  return [...used].filter((id) => {
    const device = valid.get(id);
    if (!device || Math.abs(now - (device.lastSeen ?? 0)) < noteSeenMs) return false;
    valid.set(id, { ...device, lastSeen: now });
    return true;
  });
}

/** What a window made goes over to its maker, as in the store. */
function adopt(valid: Map<string, DeviceRow>, window: string): void {
  const madeBy = valid.get(window)?.madeBy ?? null;
  for (const made of valid.values()) if (made.madeBy === window) valid.set(made.id, { ...made, madeBy });
}

function sameHash(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
