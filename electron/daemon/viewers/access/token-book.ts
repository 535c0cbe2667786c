import { timingSafeEqual } from 'node:crypto';
import type { Ids, Sha256 } from '../../../../shared/base/ports.ts';
import type { Scope } from '../../../../shared/protocol/bridge.ts';
import type { Store } from '../../events/port.ts';
import type { DeviceRow } from '../../events/rows.ts';
import { ownerPrincipal, type Principal } from './principal.ts';

/** Knows every valid token: the owner's, and the hashes of the devices'. */
export interface TokenBook {
  /** The owner token of this run, for `daemon.json`. */
  readonly ownerToken: string;
  /** Reads the devices; once, before the first request. Only the bridge adds and revokes them. */
  load(): Promise<void>;
  /** Whose token it is, or null. Compares every candidate in constant time. */
  identify(token: string): Principal | null;
  addDevice(name: string, scopes: readonly Scope[]): Promise<{ device: DeviceRow; token: string }>;
  /** False when there is no such device or it was revoked before. */
  revokeDevice(id: string): Promise<boolean>;
  /** Makes a new owner token and announces it; after that the old one fails. When that fails the old one stays. */
  rotate(): Promise<void>;
}

/** What the book is made of. `announce` tells the new owner token to the one who writes `daemon.json`. */
export interface TokenBookOptions {
  readonly store: Pick<Store, 'devices' | 'addDevice' | 'revokeDevice'>;
  readonly ids: Pick<Ids, 'random'>;
  readonly sha256: Sha256;
  readonly announce: (token: string) => Promise<void>;
}

/** A book with a new owner token and no devices yet. */
export function createTokenBook(options: TokenBookOptions): TokenBook {
  const { store, ids, sha256 } = options;
  const devices = new Map<string, DeviceRow>();
  let ownerToken = ids.random(32);
  let ownerHash = sha256(ownerToken);
  let nextHash: string | null = null;
  return {
    get ownerToken() {
      return ownerToken;
    },
    async load() {
      for (const device of await store.devices())
        if (device.revokedAt === null) devices.set(device.id, device);
    },
    identify(token) {
      const hash = sha256(token);
      const owner = sameHash(hash, ownerHash) || (nextHash !== null && sameHash(hash, nextHash));
      let found: Principal | null = owner ? ownerPrincipal : null;
      for (const { id, name, scopes, tokenHash } of devices.values()) {
        if (sameHash(hash, tokenHash)) found ??= { device: { id, name }, scopes: new Set(scopes) };
      }
      return found;
    },
    async addDevice(name, scopes) {
      const token = ids.random(32);
      const device = await store.addDevice({ name, scopes: [...scopes], tokenHash: sha256(token) });
      devices.set(device.id, device);
      return { device, token };
    },
    async revokeDevice(id) {
      // Out of the memory first: whatever the disk says, this token opens nothing any more.
      devices.delete(id);
      return store.revokeDevice(id);
    },
    async rotate() {
      const token = ids.random(32);
      // Both are good while the new one is being written: who reads the file a moment early is not refused.
      nextHash = sha256(token);
      try {
        await options.announce(token);
        ownerHash = nextHash;
        ownerToken = token;
      } finally {
        nextHash = null;
      }
    },
  };
}

function sameHash(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
