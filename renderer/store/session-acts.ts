import * as z from 'zod/mini';
import type { PermissionMode } from '../../shared/domain/sessions.ts';
import { sessionViewSchema } from '../../shared/protocol/bridge.ts';
import type { BridgeRequest } from '../connection/bridge-http.ts';
import type { Fault } from '../../shared/viewing/fault.ts';
import { sessionTopic } from '../../shared/viewing/apply-frame.ts';
import type { ActContext } from './context.ts';
import type { MessageActs } from './message-acts.ts';
import { openSessionId, type Pane, type WindowState } from './window-state.ts';

/** Sessions whose pages stay in memory; the least recently opened goes first. */
const pagesKept = 8;

/** What the new-session form holds; empty texts are left to the daemon. */
export interface NewSessionForm {
  readonly name: string;
  readonly dir: string;
  readonly text: string;
  readonly mode: PermissionMode | null;
  readonly model: string | null;
  readonly brief: boolean | null;
}

/** Opening sessions, and what an owner does with them. */
export interface SessionActs {
  show(pane: Pane): void;
  /** Resolves to the reason when the daemon refuses; else the new session is open. */
  create(form: NewSessionForm): Promise<Fault | null>;
  rename(session: string, name: string): Promise<Fault | null>;
  /** What the session works with from its next step on; a refusal stands in the bar of faults. */
  setMode(session: string, mode: PermissionMode): void;
  setModel(session: string, model: string): void;
  setBrief(session: string, brief: boolean): void;
  archive(session: string): void;
  pause(session: string): void;
  stop(session: string): void;
  retry(session: string): void;
  resume(session: string): void;
  pauseAll(paused: boolean): void;
  dismissFault(): void;
}

export function createSessionActs(context: ActContext, { send }: MessageActs): SessionActs {
  const { store, http } = context;
  const act = (request: BridgeRequest): void => {
    void http.ask({ method: 'POST', ...request }, z.unknown()).then((asked) => {
      store.setState({ fault: asked.ok ? null : asked.fault });
    });
  };
  const pathOf = (session: string, verb: string): string =>
    `/sessions/${encodeURIComponent(session)}/${verb}`;
  const show = (pane: Pane): void => showPane(context, pane);
  return {
    show,
    async create({ name, dir, text, mode, model, brief }) {
      const body = {
        ...(name === '' ? {} : { name }),
        ...(dir === '' ? {} : { dir }),
        ...(mode === null ? {} : { mode }),
        ...(model === null ? {} : { model }),
        ...(brief === null ? {} : { brief }),
      };
      const asked = await http.ask({ path: '/sessions', body }, sessionViewSchema);
      if (!asked.ok) return asked.fault;
      show({ kind: 'session', id: asked.value.id });
      if (text.trim() !== '') send(asked.value.id, text);
      return null;
    },
    async rename(session, name) {
      const asked = await http.ask({ path: pathOf(session, 'rename'), body: { name } }, sessionViewSchema);
      return asked.ok ? null : asked.fault;
    },
    setMode: (session, mode) => act({ path: pathOf(session, 'mode'), body: { mode } }),
    setModel: (session, model) => act({ path: pathOf(session, 'model'), body: { model } }),
    setBrief: (session, brief) => act({ path: pathOf(session, 'brief'), body: { brief } }),
    archive: (session) => act({ path: pathOf(session, 'archive') }),
    pause: (session) => act({ path: pathOf(session, 'pause') }),
    stop: (session) => act({ path: pathOf(session, 'interrupt') }),
    retry: (session) => act({ path: pathOf(session, 'retry') }),
    resume: (session) => act({ path: pathOf(session, 'resume') }),
    pauseAll: (paused) => act({ path: paused ? '/pause' : '/resume' }),
    dismissFault: () => store.setState({ fault: null }),
  };
}

/** Follows the session that is shown and only that one; a known page resumes from its place. */
function showPane({ store, live, kept }: ActContext, pane: Pane): void {
  const before = openSessionId(store.getState());
  const after = pane.kind === 'session' ? pane.id : null;
  store.setState((state) => ({ pane, fault: null, pages: recentPages(state, after) }));
  if (before === after) return;
  if (before !== null) live.leave(sessionTopic(before));
  if (after === null) return;
  kept.keepSelected(after);
  const seq = store.getState().pages[after]?.seq;
  live.follow(sessionTopic(after), seq === undefined ? undefined : { epoch: '', seq });
}

/** The pages that stay; the opened one becomes the most recent. */
function recentPages({ pages }: WindowState, opened: string | null): WindowState['pages'] {
  const entries = Object.entries(pages);
  const others = entries.filter(([id]) => id !== opened);
  const kept = others.slice(Math.max(0, others.length - pagesKept + 1));
  return Object.fromEntries([...kept, ...entries.filter(([id]) => id === opened)]);
}
