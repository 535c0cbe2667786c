import type { Verdict } from '../../../../shared/domain/prompts.ts';
import { limits, verdictBodySchema } from '../../../../shared/protocol/bridge.ts';
import { allows, answeredBy, type Principal } from '../access/principal.ts';
import { promptViewOf } from '../session-summary-view.ts';
import { badInput, notAllowed, notFound, ok } from './answers.ts';
import { findSession, type RouteContext } from './context.ts';
import { bodyRoute, type Route, route, wholeNumber } from './route.ts';

/** Questions to people, and their answers. */
export function promptRoutes(context: RouteContext): Route[] {
  const { store, commands, clock } = context;
  return [
    route({
      method: 'GET',
      path: '/prompts',
      scope: 'read',
      async handle({ query }) {
        const session = query.get('session');
        const only = session === null ? {} : { session: (await findSession(store, session)).id };
        const limit = wholeNumber(query, 'limit', 1, limits.pageMax) ?? limits.page;
        const rows = await store.prompts({ state: stateOf(query), ...only, limit });
        return ok(rows.map(promptViewOf));
      },
    }),
    route({
      method: 'GET',
      path: '/prompts/:prompt',
      scope: 'read',
      async handle({ params }) {
        const row = await store.prompt(params.prompt ?? '');
        if (row === null)
          throw notFound('There is no such prompt.', '`kairos approvals` lists the open ones.');
        return ok(promptViewOf(row));
      },
    }),
    bodyRoute({
      method: 'POST',
      path: '/prompts/:prompt/verdict',
      scope: 'approve',
      body: verdictBodySchema,
      async handle({ who, params, body: { verdict } }) {
        checkScope(who, verdict);
        const owner = allows(who, 'owner');
        return ok(await commands.verdict(params.prompt ?? '', verdict, answeredBy(who, clock.now()), owner));
      },
    }),
  ];
}

function stateOf(query: URLSearchParams): 'open' | 'closed' {
  const state = query.get('state') ?? 'open';
  if (state === 'open' || state === 'closed') return state;
  throw badInput('"state" has to be "open" or "closed".');
}

function checkScope(who: Principal, verdict: Verdict): void {
  if (allows(who, 'owner') || verdict.behavior !== 'allow' || verdict.scope === 'once') return;
  throw notAllowed('This device may allow once only.', 'Allow once, or decide on the machine itself.');
}
