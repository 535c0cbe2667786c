import type { DeviceRow, NewDevice } from './rows.ts';

/** The part of the store that knows which programs may use the bridge. */
export interface DeviceVerbs {
  /** Rejects with `not_allowed` when its maker is unknown or was ended meanwhile. */
  addDevice(device: NewDevice): Promise<DeviceRow>;
  /** Ends it and, transitively, all that it made: their ids, its own first; none when it is unknown or ended before. */
  revokeDevice(device: string): Promise<readonly string[]>;
  /** Notes that these devices are used now. */
  seeDevices(devices: readonly string[]): Promise<void>;
  /** Deletes the rows of windows; what they made counts as made by their makers. */
  removeDevices(devices: readonly string[]): Promise<void>;
  devices(): Promise<readonly DeviceRow[]>;
}
