import type { Readable } from 'node:stream';
import { KairosError } from '../../shared/base/errors.ts';
import type { Core } from './compose.ts';
import type { DoctorReport } from '../../shared/protocol/bridge.ts';
import type { BridgeCommands, LiveSource, PermissionCommands } from './viewers/ports.ts';

/** What the bridge needs that is not the core's: readers, doctor, the end of the process. */
export interface BridgeExtras {
  readonly exportSession: (session: string) => Promise<Readable>;
  readonly search: BridgeCommands['search'];
  readonly backUp: BridgeCommands['backUp'];
  readonly models: Pick<BridgeCommands, 'models' | 'testModel' | 'setDefaultModel'>;
  readonly permissions: PermissionCommands;
  readonly doctor: () => Promise<DoctorReport>;
  readonly settings: BridgeCommands['settings'];
  readonly takeFile: BridgeCommands['takeFile'];
  readonly stop: (reason: string) => void;
}

/** The core behind the bridge's commands. */
export function bridgeCommands(core: Core, extras: BridgeExtras): BridgeCommands {
  const { commands, store } = core;
  return {
    ...commands,
    ...core.usage,
    ...extras.models,
    ...extras.permissions,
    verdict: async (codeOrId, verdict, by, owner) => {
      await core.checkClock();
      return core.broker.verdict(codeOrId, verdict, by, owner);
    },
    focus: (session, typing) => {
      if (typing) core.registry.warm(session);
    },
    exportSession: async (session) => {
      const row = await store.session(session);
      if (!row)
        throw new KairosError('not_found', `There is no session ${session}.`, {
          next: 'List them with: kairos sessions',
        });
      return extras.exportSession(row.id);
    },
    search: extras.search,
    backUp: extras.backUp,
    doctor: extras.doctor,
    settings: extras.settings,
    takeFile: extras.takeFile,
    stop: (reason) => {
      extras.stop(reason);
      return Promise.resolve();
    },
  };
}

/** The core's live facts behind the bridge's source. */
export function liveSource(core: Core): LiveSource {
  const { board, problems } = core;
  return {
    live: (session) => board.live(session),
    draft: (session) => board.draft(session),
    onLive: (listener) => board.onLive(listener),
    onDraft: (listener) => board.onDraft(listener),
    problems: () => problems.all(),
    onProblems: (listener) => problems.onChange(listener),
  };
}
