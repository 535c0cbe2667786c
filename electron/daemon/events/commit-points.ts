import type { Boundary } from '../../../shared/domain/boundaries.ts';

/**
 * The crash point of each verb's COMMIT; a verb cannot be added without one. Verbs that write in the same way and have no
 * effect beside their commit share a name. null: `nextStep` passes the points of what it did (`Tx.passes`).
 */
export const commitPoints = {
  createSession: 'commit.createSession',
  renameSession: 'commit.sessionAct',
  setMode: 'commit.sessionAct',
  setBrief: 'commit.sessionAct',
  setModel: 'commit.sessionAct',
  setPaused: 'commit.sessionAct',
  setPausedAll: 'commit.sessionAct',
  archive: 'commit.sessionAct',
  park: 'commit.park',
  unpark: 'commit.unpark',
  pinFrame: 'commit.pinFrame',
  admitWake: 'commit.admitWake',
  nextStep: null,
  recordReply: 'commit.recordReply',
  beginCall: 'commit.beginCall',
  endCall: 'commit.endCall',
  beginSide: 'commit.beginSide',
  endSide: 'commit.endSide',
  raiseBudget: 'commit.raiseBudget',
  interrupt: 'commit.interrupt',
  failTurn: 'commit.failTurn',
  compact: 'commit.compact',
  memo: 'commit.memo',
  noteContext: 'commit.noteContext',
  noteHook: 'commit.noteContext',
  beginTask: 'commit.beginTask',
  endTask: 'commit.endTask',
  workerLost: 'commit.workerLost',
  recoverAll: 'commit.recoverAll',
  startEffect: 'commit.startEffect',
  finishEffect: 'commit.finishEffect',
  claimPrompt: 'commit.claimPrompt',
  expirePrompts: 'commit.expirePrompts',
  shiftDurations: 'commit.setMeta',
  recordOffer: 'commit.recordOffer',
  settleOffer: 'commit.settleOffer',
  addRule: 'commit.changeRule',
  revokeRule: 'commit.changeRule',
  decideAnew: 'commit.changeRule',
  setTrust: 'commit.changeRule',
  revokeTrust: 'commit.changeRule',
  askTrust: 'commit.askTrust',
  addDevice: 'commit.changeDevice',
  revokeDevice: 'commit.changeDevice',
  seeDevices: 'commit.changeDevice',
  removeDevices: 'commit.changeDevice',
  setMeta: 'commit.setMeta',
} as const satisfies Readonly<Record<string, Boundary | null>>;

/** The name of a verb that commits. */
export type CommitVerb = keyof typeof commitPoints;
