import { idPrefix } from '../../../../shared/domain/ids.ts';
import type { DeviceRow } from '../rows.ts';
import { devices } from '../rows/tables.ts';
import type { Tx } from './tx.ts';

/** Lets a program use the bridge with these scopes. */
export function addDevice(tx: Tx, device: Pick<DeviceRow, 'name' | 'scopes' | 'tokenHash'>): DeviceRow {
  const id = tx.ids.next(idPrefix.device);
  const row: DeviceRow = { ...device, id, createdAt: tx.now, lastSeen: null, revokedAt: null };
  tx.rows.insert(devices, row);
  tx.metaChanged();
  return row;
}

/** Ends it; false when it is unknown or ended before. */
export function revokeDevice(tx: Tx, id: string): boolean {
  const known = tx.rows.get(devices, id);
  if (!known || known.revokedAt !== null) return false;
  tx.rows.update(devices, [id], { revokedAt: tx.now });
  tx.metaChanged();
  return true;
}
