/**
 * Every point at which a process may die and at which the crash suite kills it, before and after.
 * `commit.*`: around the COMMIT of the store verb of that name (daemon). `tool.*`, `model.*`, `link.*`: worker.
 */
export const daemonBoundaries = [
  'commit.createSession',
  'commit.admitWake',
  'commit.beginStep',
  'commit.recordReply',
  'commit.beginCall',
  'commit.endCall',
  'commit.endTurn',
  'commit.claimPrompt',
  'commit.startEffect',
  'commit.finishEffect',
  'commit.recoverAll',
  'commit.expirePrompts',
  'commit.recordOffer',
  'commit.settleOffer',
  'commit.pinFrame',
  'commit.interrupt',
  'lease.grant',
  'prompt.offer',
  'delivery.send',
] as const;

/** Those of workers. */
export const workerBoundaries = ['link.ready', 'model.request', 'tool.execute', 'tool.local_write'] as const;

/** Those of the supervisor. */
export const supervisorBoundaries = ['daemon.spawn', 'daemon.ready', 'daemon.stop'] as const;

/** All of them; the crash suite goes through this list. */
export const boundaries = [...daemonBoundaries, ...workerBoundaries, ...supervisorBoundaries] as const;

/** The name of one point. */
export type Boundary = (typeof boundaries)[number];
