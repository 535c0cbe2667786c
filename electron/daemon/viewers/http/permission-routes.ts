import { isAbsolute } from 'node:path';
import { visibleText } from '../../../../shared/base/visible-text.ts';
import { parseRule, ruleForms } from '../../../../shared/domain/permissions/rules.ts';
import {
  explainBodySchema,
  revokeTrustBodySchema,
  ruleBodySchema,
  type RuleView,
  trustBodySchema,
} from '../../../../shared/protocol/permissions.ts';
import type { RuleRow } from '../../events/rows.ts';
import { answeredBy } from '../access/principal.ts';
import { ruleViewOf } from '../session-summary-view.ts';
import { badInput, created, notFound, ok } from './answers.ts';
import { findSession, type RouteContext } from './context.ts';
import { bodyRoute, type Route, route } from './route.ts';

/** Rules, what they do, and trust in directories: the owner's alone. */
export function permissionRoutes(context: RouteContext): Route[] {
  return [...ruleRoutes(context), ...standingRoutes(context), ...trustRoutes(context)];
}

function ruleRoutes({ store, clock }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/rules',
      scope: 'owner',
      async handle({ query }) {
        const session = query.get('session');
        if (session === null) return ok(await ruleViews(store, await store.allRules()));
        const { id } = await findSession(store, session);
        return ok(await ruleViews(store, await store.rules(id)));
      },
    }),
    bodyRoute({
      method: 'POST',
      path: '/rules',
      scope: 'owner',
      body: ruleBodySchema,
      async handle({ who, body: { effect, rule: text, session } }) {
        const { rule, notice } = parseRule(effect, text);
        if (rule === null)
          throw badInput(visibleText(notice?.problem ?? 'The rule cannot be read.'), ruleForms);
        const only = session === undefined ? null : await findSession(store, session);
        const by = answeredBy(who, clock.now());
        const row = await store.addRule({ ...rule, session: only?.id ?? null, by });
        return created({ rule: ruleViewOf(row, only?.name ?? null), notice: notice?.notice ?? null });
      },
    }),
    route({
      method: 'DELETE',
      path: '/rules/:rule',
      scope: 'owner',
      async handle({ params }) {
        if (await store.revokeRule(params.rule ?? '')) return ok({ revoked: true });
        throw notFound('There is no such rule.', 'The list of rules shows what can be revoked.');
      },
    }),
  ];
}

/** Rules of single sessions are named by them. */
function ruleViews(store: RouteContext['store'], rows: readonly RuleRow[]): Promise<RuleView[]> {
  return Promise.all(
    rows.map(async (row) => {
      const session = row.session === null ? null : await store.session(row.session);
      return ruleViewOf(row, session?.name ?? null);
    }),
  );
}

function standingRoutes({ commands }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/rules/standing',
      scope: 'owner',
      async handle({ query }) {
        const [session, dir] = [query.get('session') ?? undefined, query.get('dir') ?? undefined];
        return ok(await commands.standing({ session, dir }));
      },
    }),
    bodyRoute({
      method: 'POST',
      path: '/rules/explain',
      scope: 'owner',
      body: explainBodySchema,
      handle: async ({ body }) => ok(await commands.explain(body)),
    }),
  ];
}

function trustRoutes({ commands, clock }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/trust',
      scope: 'owner',
      async handle({ query }) {
        const dir = query.get('dir') ?? '';
        if (!isAbsolute(dir)) throw badInput('"dir" has to be an absolute path.');
        return ok(await commands.trustOf(dir));
      },
    }),
    route({
      method: 'GET',
      path: '/trusts',
      scope: 'owner',
      async handle() {
        const words = await commands.trusts();
        return ok(words.map(({ dir, digest, trusted, at, by }) => ({ dir, digest, trusted, at, by })));
      },
    }),
    bodyRoute({
      method: 'POST',
      path: '/trust',
      scope: 'owner',
      body: trustBodySchema,
      async handle({ who, body }) {
        await commands.setTrust(body, answeredBy(who, clock.now()));
        return ok({ trusted: body.trusted });
      },
    }),
    bodyRoute({
      method: 'POST',
      path: '/trust/revoke',
      scope: 'owner',
      body: revokeTrustBodySchema,
      async handle({ who, body: { dir } }) {
        if (await commands.revokeTrust(dir, answeredBy(who, clock.now()))) return ok({ revoked: true });
        throw notFound('That directory is not trusted.', 'See: kairos trust --list');
      },
    }),
  ];
}
