import { type BriefPolicy, briefHolds } from '../../../shared/domain/brief.ts';
import type { Lease } from '../../../shared/protocol/worker-link.ts';
import type { Store } from '../events/port.ts';
import type { SessionRow } from '../events/rows.ts';
import { type HookTerms, leaseHooks } from './hook-terms.ts';
import type { ModelProblem, ModelSource } from './model-source.ts';

/** What a lease is made from. */
export interface LeasePorts {
  readonly store: Store;
  /** Makes the session's scratch folder and gives its path. */
  readonly scratch: (session: string) => Promise<string>;
  readonly models: Pick<ModelSource, 'forLease'>;
  /** Absent: brief mode is what the session's row says. */
  readonly brief?: BriefPolicy;
  /** Settings of the built-in loop; absent: its defaults. */
  readonly loop?: NonNullable<Lease['loop']>;
  /** Limits of requests to models; absent: their defaults. */
  readonly requests?: NonNullable<Lease['requests']>;
  /** Limits of background tasks; absent: their defaults. */
  readonly tasks?: NonNullable<Lease['tasks']>;
  /** Where searches of the web go; absent: by a provider's own means. */
  readonly webSearch?: NonNullable<Lease['webSearch']>;
  /** The hooks that hold in a session now; never rejects. Absent: none. */
  readonly hooks?: (session: SessionRow) => Promise<HookTerms>;
}

/** A lease, or why the session's model cannot be used. */
export type MadeLease = { readonly kind: 'lease'; readonly lease: Lease } | ModelProblem;

/** Everything a worker needs to run a session, as its rows are now; null when the session is gone. */
export async function makeLease(
  ports: LeasePorts,
  session: string,
  lease: string,
): Promise<MadeLease | null> {
  const { store, scratch } = ports;
  const folder = await scratch(session);
  const named = await store.session(session);
  const models = named && (await ports.models.forLease(named.model));
  const row = await store.session(session);
  if (!row || !models) return null;
  // Another model was set while the first one's key was looked for: made anew.
  if (row.model !== named.model) return makeLease(ports, session, lease);
  if (models.kind === 'problem') return { ...models, reason: `${models.reason} ${howToGoOn(models, row)}` };
  const hooks = ports.hooks && (await leaseHooks(store, session, await ports.hooks(row)));
  const context = row.context === null ? null : await store.blob(row.context);
  const { name, dir, mode, model, frame, compaction, memo } = row;
  const pinned = frame === null ? null : await store.blob(frame);
  const content: Lease = {
    lease,
    session,
    name,
    dir,
    mode,
    model,
    scratch: folder,
    frame,
    context: context ? Buffer.from(context).toString('base64') : null,
    turnSeq: row.turn ? row.turn.seq - 1 : row.seq,
    environment: null,
    secrets: { ...models.secrets },
    models: [...models.models],
    frameContent: pinned === null ? null : Buffer.from(pinned).toString('utf8'),
    brief: briefHolds(ports.brief, row),
    compaction,
    memo,
    ...(ports.loop === undefined ? {} : { loop: ports.loop }),
    ...(ports.requests === undefined ? {} : { requests: ports.requests }),
    ...(ports.tasks === undefined ? {} : { tasks: ports.tasks }),
    ...(ports.webSearch === undefined ? {} : { webSearch: ports.webSearch }),
    ...(hooks === undefined ? {} : { hooks }),
  };
  return { kind: 'lease', lease: content };
}

/** The one command that lets the session go on. */
function howToGoOn({ code }: ModelProblem, { name, id }: SessionRow): string {
  const session = name ?? id;
  if (code === 'model_unavailable')
    return `Give the session another one: kairos models set MODEL --session ${session}`;
  return `Then take the session up again: kairos retry ${session}`;
}
