import { onTestFinished } from 'vitest';
import { type BridgeChanges, type BridgeUnderTest, makeBridge } from './make-bridge.ts';

export type { BridgeUnderTest } from './make-bridge.ts';

/** Starts a bridge for one test and stops it afterwards, unless the test keeps it to stop it itself. */
export function startBridge(
  changes: BridgeChanges & { readonly keep?: boolean } = {},
): Promise<BridgeUnderTest> {
  return makeBridge(changes, changes.keep === true ? () => undefined : onTestFinished);
}
