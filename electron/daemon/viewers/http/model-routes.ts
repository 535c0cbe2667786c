import { modelBodySchema, raiseBodySchema, usageGroupSchema } from '../../../../shared/protocol/bridge.ts';
import { badInput, ok } from './answers.ts';
import type { RouteContext } from './context.ts';
import { bodyRoute, type Route, route, wholeNumber } from './route.ts';

const mostDays = 366;

/** Models and what they cost. */
export function modelRoutes(context: RouteContext): Route[] {
  const { commands } = context;
  return [
    // Asks the providers' servers with the person's keys.
    route({
      method: 'GET',
      path: '/models',
      scope: 'owner',
      handle: async () => ok(await commands.models()),
    }),
    bodyRoute({
      method: 'POST',
      path: '/models/test',
      scope: 'owner',
      body: modelBodySchema,
      handle: async ({ body }) => ok(await commands.testModel(body.model)),
    }),
    bodyRoute({
      method: 'POST',
      path: '/models/default',
      scope: 'owner',
      body: modelBodySchema,
      handle: async ({ body }) => ok(await commands.setDefaultModel(body.model)),
    }),
    route({
      method: 'GET',
      path: '/usage',
      scope: 'read',
      async handle({ query }) {
        const by = usageGroupSchema.safeParse(query.get('by') ?? 'day');
        if (!by.success) throw badInput(`"by" has to be one of: ${usageGroupSchema.options.join(', ')}.`);
        const days = wholeNumber(query, 'days', 1, mostDays) ?? 1;
        return ok(await commands.usage({ days, by: by.data, session: query.get('session') }));
      },
    }),
    bodyRoute({
      method: 'POST',
      path: '/usage/raise',
      scope: 'owner',
      body: raiseBodySchema,
      handle: async ({ body }) => ok(await commands.raiseBudget(body)),
    }),
  ];
}
