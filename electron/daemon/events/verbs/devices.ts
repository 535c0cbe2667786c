import { KairosError } from '../../../../shared/base/errors.ts';
import { idPrefix } from '../../../../shared/domain/ids.ts';
import type { DeviceRow, NewDevice } from '../rows.ts';
import { devices } from '../rows/tables.ts';
import type { Tx } from './tx.ts';

/** Lets a program use the bridge with these scopes. Throws `not_allowed` when its maker was ended. */
export function addDevice(tx: Tx, device: NewDevice): DeviceRow {
  const { madeBy } = device;
  const maker = madeBy === null ? null : tx.rows.get(devices, madeBy);
  if (madeBy !== null && (maker === null || maker.revokedAt !== null)) {
    throw new KairosError('not_allowed', 'The device that asks can no longer connect.', {
      next: 'Ask with another one, or on the machine itself.',
    });
  }
  const id = tx.ids.next(idPrefix.device);
  const row: DeviceRow = { ...device, id, createdAt: tx.now, lastSeen: null, revokedAt: null };
  tx.rows.insert(devices, row);
  tx.metaChanged();
  return row;
}

/** Ends it and all that it made, also through others; the ids that ended, none when it is unknown or ended before. */
export function revokeDevice(tx: Tx, id: string): readonly string[] {
  const known = tx.rows.get(devices, id);
  if (!known || known.revokedAt !== null) return [];
  const ended = lineOf(tx.rows.find(devices, { isNull: ['revokedAt'] }), id);
  for (const device of ended) tx.rows.update(devices, [device], { revokedAt: tx.now });
  tx.metaChanged();
  return ended;
}

/** A device and everything that it made, directly or through others, itself first. */
export function lineOf(all: readonly Pick<DeviceRow, 'id' | 'madeBy'>[], id: string): readonly string[] {
  const line = new Set([id]);
  // A set goes on with what is added to it meanwhile.
  for (const maker of line) {
    for (const device of all) if (device.madeBy === maker) line.add(device.id);
  }
  return [...line];
}

/** They are used now. Unknown ones are nothing to note. */
export function seeDevices(tx: Tx, ids: readonly string[]): void {
  for (const id of ids) {
    if (tx.rows.get(devices, id)) tx.rows.update(devices, [id], { lastSeen: tx.now });
  }
}

/** Deletes them; what they made counts as made by their makers, so that it still ends with those. */
export function removeDevices(tx: Tx, ids: readonly string[]): void {
  for (const id of ids) {
    const gone = tx.rows.get(devices, id);
    if (!gone) continue;
    for (const made of tx.rows.find(devices, { eq: { madeBy: id } }))
      tx.rows.update(devices, [made.id], { madeBy: gone.madeBy });
    tx.rows.delete(devices, id);
  }
  tx.metaChanged();
}
