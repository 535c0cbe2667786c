import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../../shared/base/ports.ts';
import type { BridgeHttp } from '../connection/bridge-http.ts';
import type { LiveConnection } from '../../shared/viewing/live-connection.ts';
import type { Kept } from './kept.ts';
import type { WindowState } from './window-state.ts';

/** What the acts of a window work with. */
export interface ActContext {
  readonly store: StoreApi<WindowState>;
  readonly http: BridgeHttp;
  readonly live: Pick<LiveConnection, 'follow' | 'leave' | 'tellTyping' | 'nudge'>;
  readonly clock: Clock;
  readonly newUuid: () => string;
  readonly kept: Kept;
}
