import { isAbsolute } from 'node:path';
import {
  backupBodySchema,
  bridgeVersion,
  type DaemonStatus,
  limits,
} from '../../../../shared/protocol/bridge.ts';
import { badInput, created, ok } from './answers.ts';
import { findSession, isPaused, type RouteContext } from './context.ts';
import { bodyRoute, type Route, route, wholeNumber } from './route.ts';

const searchLimit = 50;
const longestQuery = 1_000;

/** The daemon as a whole. */
export function daemonRoutes(context: RouteContext): Route[] {
  const { commands } = context;
  const pauseRoute = (path: string, paused: boolean): Route =>
    route({
      method: 'POST',
      path,
      scope: 'owner',
      async handle() {
        await commands.setPaused(null, paused);
        return ok({ paused });
      },
    });
  return [
    // Without a token: says that somebody listens and nothing else.
    route({ method: 'GET', path: '/health', scope: 'open', handle: async () => ok({ ok: true }) }),
    route({ method: 'GET', path: '/status', scope: 'read', handle: async () => ok(await statusOf(context)) }),
    route({ method: 'GET', path: '/home', scope: 'read', handle: async () => ok(await context.homeView()) }),
    pauseRoute('/pause', true),
    pauseRoute('/resume', false),
    searchRoute(context),
    route({
      method: 'GET',
      path: '/doctor',
      scope: 'owner',
      handle: async () => ok(await commands.doctor()),
    }),
    route({
      method: 'GET',
      path: '/settings',
      scope: 'owner',
      handle: async () => ok(await commands.settings()),
    }),
    bodyRoute({
      method: 'POST',
      path: '/backup',
      scope: 'owner',
      body: backupBodySchema,
      async handle({ body: { to } }) {
        if (!isAbsolute(to)) throw badInput('"to" has to be an absolute path.');
        return created(await commands.backUp(to));
      },
    }),
    route({
      method: 'POST',
      path: '/daemon/stop',
      scope: 'owner',
      async handle() {
        await commands.stop('asked over the bridge');
        return ok({ stopping: true });
      },
    }),
  ];
}

function searchRoute({ store, commands }: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/search',
    scope: 'read',
    async handle({ query }) {
      const wanted = query.get('q')?.trim() ?? '';
      if (wanted === '' || wanted.length > longestQuery)
        throw badInput('"q" has to be 1 to 1,000 characters.');
      const limit = wholeNumber(query, 'limit', 1, limits.pageMax) ?? searchLimit;
      const named = query.get('session');
      const session = named === null ? null : (await findSession(store, named)).id;
      return ok(await commands.search(wanted, limit, session));
    },
  });
}

async function statusOf({ store, facts, live, url, viewers }: RouteContext): Promise<DaemonStatus> {
  const summaries = await store.summaries({ archived: false });
  const { version, pid, startedAt, safe, home } = facts;
  return {
    bridge: bridgeVersion,
    version,
    pid,
    supervisorPid: facts.supervisorPid(),
    startedAt,
    safe,
    url: url(),
    home,
    paused: await isPaused(store),
    sessions: summaries.length,
    openPrompts: summaries.reduce((sum, { openPrompts }) => sum + openPrompts, 0),
    viewers: viewers(),
    problems: [...live.problems()],
  };
}
