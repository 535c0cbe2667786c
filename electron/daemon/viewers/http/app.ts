import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { type Addresses, checkHead, type Refusal, type RequestHead } from '../checks/request-checks.ts';
import { accessRoutes } from './access-routes.ts';
import type { RouteContext } from './context.ts';
import { daemonRoutes } from './daemon-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { modelRoutes } from './model-routes.ts';
import { permissionRoutes } from './permission-routes.ts';
import { jsonResponse, type Pipeline, refusalResponse } from './pipeline.ts';
import { promptRoutes } from './prompt-routes.ts';
import type { Route } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import { sessionRoutes } from './session-routes.ts';
import type { WindowFiles } from './window-files.ts';

const prefix = '/api/v1';

/** Every route of the bridge; README.md has them as a table and a test compares the two. */
export function allRoutes(context: RouteContext): Route[] {
  return [
    ...daemonRoutes(context),
    ...sessionRoutes(context),
    ...messageRoutes(context),
    ...fileRoutes(context),
    ...promptRoutes(context),
    ...modelRoutes(context),
    ...permissionRoutes(context),
    ...accessRoutes(context),
  ];
}

/** The head of a request as the checks want it; header values as Node gives them (the first of repeated ones). */
export function headOf(incoming: IncomingMessage, upgrade: boolean): RequestHead {
  const { host, origin } = incoming.headers;
  const site = incoming.headers['sec-fetch-site'];
  return {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    host,
    origin,
    fetchSite: Array.isArray(site) ? site[0] : site,
    upgrade,
  };
}

/** The HTTP side of the bridge. */
export function createApp(options: {
  readonly routes: readonly Route[];
  readonly pipeline: Pipeline;
  readonly windowFiles: WindowFiles;
  addresses(): Addresses;
}): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use('*', async (context, next) => {
    const refusal = checkHead(headOf(context.env.incoming, false), options.addresses());
    if (refusal === null) await next();
    else context.res = refusalResponse(refusal);
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
  });
  for (const route of options.routes) {
    app.on(route.method, `${prefix}${route.path}`, (context) =>
      options.pipeline(route, context.req.raw, context.env.incoming, context.req.param()),
    );
  }
  app.get('*', async (context, next) => (await options.windowFiles(context.req.path)) ?? next());
  app.notFound(() => refusalResponse(unknownRoute));
  app.onError(() => jsonResponse(unreadable, 500));
  return app;
}

const unknownRoute: Refusal = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing at this address.',
  next: 'See the table of routes in electron/daemon/viewers/README.md.',
};
const unreadable = JSON.stringify({
  error: { code: 'internal', message: 'The request could not be read.', next: 'See `kairos logs`.' },
});
