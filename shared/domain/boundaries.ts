/**
 * Every point at which a process may die and at which the crash suite kills it, before and after.
 * `commit.*`: around the COMMIT of the store verbs of that name or kind (daemon). `blob.rename`, `parcel.written`,
 * `settings.write`: around the step that makes a file count. `tool.*`, `model.*`, `link.*`: worker.
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
  'commit.askTrust',
  'commit.startEffect',
  'commit.finishEffect',
  'commit.recoverAll',
  'commit.expirePrompts',
  'commit.recordOffer',
  'commit.settleOffer',
  'commit.pinFrame',
  'commit.interrupt',
  'commit.failTurn',
  'commit.workerLost',
  'commit.park',
  'commit.unpark',
  'commit.sessionAct',
  'commit.changeRule',
  'commit.changeDevice',
  'commit.setMeta',
  'commit.compact',
  'commit.memo',
  'commit.noteContext',
  'commit.beginSide',
  'commit.endSide',
  'commit.raiseBudget',
  'commit.beginTask',
  'commit.endTask',
  'blob.rename',
  'parcel.written',
  'settings.write',
  'lease.grant',
  'prompt.offer',
  'delivery.send',
] as const;

/** Those of workers. */
export const workerBoundaries = [
  'link.ready',
  'model.request',
  'tool.execute',
  'tool.local_write',
  'parcel.written',
] as const;

/** Those of the supervisor. */
export const supervisorBoundaries = ['daemon.spawn', 'daemon.ready', 'daemon.stop'] as const;

/** All of them; the crash suite goes through this list. What both ends of the link do stands in it for each. */
export const boundaries = [...daemonBoundaries, ...workerBoundaries, ...supervisorBoundaries] as const;

/** The name of one point. */
export type Boundary = (typeof boundaries)[number];
