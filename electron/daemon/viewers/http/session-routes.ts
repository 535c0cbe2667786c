import type * as z from 'zod/mini';
import {
  briefBodySchema,
  limits,
  modeBodySchema,
  modelBodySchema,
  newSessionBodySchema,
  renameBodySchema,
} from '../../../../shared/protocol/bridge.ts';
import type { SessionRow } from '../../events/rows.ts';
import { originOf } from '../access/principal.ts';
import { sessionSummaryView } from '../session-summary-view.ts';
import { badInput, created, ok } from './answers.ts';
import { findSession, type RouteContext } from './context.ts';
import { eventPageJson } from './event-page.ts';
import { bodyRoute, type Call, type Route, route, wholeNumber, yesOrNo } from './route.ts';

/** Sessions: lists, history, and what an owner does with them. */
export function sessionRoutes(context: RouteContext): Route[] {
  return [...readingRoutes(context), ...changingRoutes(context)];
}

async function viewOf({ store, live }: RouteContext, id: string) {
  const [summary] = await store.summaries({ ids: [id] });
  return summary === undefined ? null : sessionSummaryView(summary, live.live(id));
}

function readingRoutes(context: RouteContext): Route[] {
  const { store, live, commands } = context;
  const named = (call: Call<unknown>): Promise<SessionRow> => findSession(store, call.params.session);
  return [
    route({
      method: 'GET',
      path: '/sessions',
      scope: 'read',
      async handle({ query }) {
        const summaries = await store.summaries({ archived: yesOrNo(query, 'archived') ?? false });
        return ok(summaries.map((summary) => sessionSummaryView(summary, live.live(summary.session.id))));
      },
    }),
    route({
      method: 'GET',
      path: '/sessions/:session',
      scope: 'read',
      handle: async (call) => ok(await viewOf(context, (await named(call)).id)),
    }),
    route({
      method: 'GET',
      path: '/sessions/:session/events',
      scope: 'read',
      async handle(call) {
        const { query } = call;
        const before = wholeNumber(query, 'before', 1, Number.MAX_SAFE_INTEGER);
        const after = wholeNumber(query, 'after', 0, Number.MAX_SAFE_INTEGER);
        if (before !== undefined && after !== undefined)
          throw badInput('"before" and "after" cannot be given together.');
        const limit = wholeNumber(query, 'limit', 1, limits.pageMax) ?? limits.page;
        return {
          kind: 'json',
          json: await eventPageJson(store, (await named(call)).id, { before, after, limit }),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/sessions/:session/export',
      scope: 'read',
      async handle(call) {
        const stream = await commands.exportSession((await named(call)).id);
        return { kind: 'stream', type: 'application/x-ndjson; charset=utf-8', stream };
      },
    }),
  ];
}

/** An owner's act on a session that changes its row; the answer is the session as it is then. */
function actRoute(
  context: RouteContext,
  act: string,
  run: (id: string, call: Call<undefined>) => Promise<unknown>,
): Route {
  return route({
    method: 'POST',
    path: `/sessions/:session/${act}`,
    scope: 'owner',
    async handle(call) {
      const { id } = await findSession(context.store, call.params.session);
      await run(id, call);
      return ok(await viewOf(context, id));
    },
  });
}

/** The same with a body that says what to set. */
function setRoute<Body>(
  context: RouteContext,
  act: string,
  body: z.ZodMiniType<Body>,
  run: (id: string, body: Body) => Promise<unknown>,
): Route {
  return bodyRoute({
    method: 'POST',
    path: `/sessions/:session/${act}`,
    scope: 'owner',
    body,
    async handle(call) {
      const { id } = await findSession(context.store, call.params.session);
      await run(id, call.body);
      return ok(await viewOf(context, id));
    },
  });
}

function changingRoutes(context: RouteContext): Route[] {
  const { store, commands } = context;
  return [
    bodyRoute({
      method: 'POST',
      path: '/sessions',
      scope: 'owner',
      body: newSessionBodySchema,
      optional: true,
      async handle({ body: { name, dir, kind, mode, model, brief, rules, sandbox } }) {
        const row = await commands.createSession({
          name: name ?? null,
          dir: dir ?? null,
          kind: kind ?? 'interactive',
          mode: mode ?? null,
          model: model ?? null,
          ...(brief === undefined ? {} : { brief }),
          ...(rules === undefined ? {} : { rules }),
          ...(sandbox === undefined ? {} : { sandbox }),
        });
        return created(await viewOf(context, row.id));
      },
    }),
    setRoute(context, 'rename', renameBodySchema, (id, { name }) => commands.rename(id, name)),
    setRoute(context, 'mode', modeBodySchema, (id, { mode }) => commands.setMode(id, mode)),
    setRoute(context, 'model', modelBodySchema, (id, { model }) => commands.setModel(id, model)),
    setRoute(context, 'brief', briefBodySchema, (id, { brief }) => commands.setBrief(id, brief)),
    actRoute(context, 'pause', (id) => commands.setPaused(id, true)),
    actRoute(context, 'resume', (id) => commands.setPaused(id, false)),
    actRoute(context, 'retry', (id) => commands.retry(id)),
    actRoute(context, 'archive', (id) => commands.archive(id)),
    route({
      method: 'POST',
      path: '/sessions/:session/interrupt',
      scope: 'owner',
      async handle({ params, who }) {
        const { id } = await findSession(store, params.session);
        return ok({ interrupted: await commands.interrupt(id, originOf(who)) });
      },
    }),
  ];
}
