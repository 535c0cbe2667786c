import { visibleText } from '../../../../shared/base/visible-text.ts';
import { parseRule, ruleForms } from '../../../../shared/domain/permissions/rules.ts';
import {
  deviceBodySchema,
  redeemBodySchema,
  ruleBodySchema,
  type RuleView,
  type Scope,
  ticketBodySchema,
} from '../../../../shared/protocol/bridge.ts';
import { allows, answeredBy, type Principal, spelledScopes } from '../access/principal.ts';
import type { RuleRow } from '../../events/rows.ts';
import { ticketLifeMs } from '../access/tickets.ts';
import { deviceViewOf, ruleViewOf } from '../session-summary-view.ts';
import { badInput, created, notAllowed, notFound, ok } from './answers.ts';
import { findSession, type RouteContext } from './context.ts';
import { bodyRoute, type Route, route } from './route.ts';

/** Rules, devices, tickets and tokens: everything that decides what others may do. */
export function accessRoutes(context: RouteContext): Route[] {
  return [...ruleRoutes(context), ...deviceRoutes(context), ...ticketRoutes(context)];
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
      async handle({ who, body: { effect, rule: text } }) {
        const { rule, notice } = parseRule(effect, text);
        if (rule === null) throw badInput(notice?.problem ?? 'The rule cannot be read.', ruleForms);
        const row = await store.addRule({ ...rule, session: null, by: answeredBy(who, clock.now()) });
        return created({ rule: ruleViewOf(row, null), notice: notice?.notice ?? null });
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

function deviceRoutes({ store, tokens }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/devices',
      scope: 'owner',
      handle: async () => ok((await store.devices()).map(deviceViewOf)),
    }),
    bodyRoute({
      method: 'POST',
      path: '/devices',
      scope: 'owner',
      body: deviceBodySchema,
      async handle({ who, body }) {
        const scopes = subset(who, body.scopes);
        const wish = { name: deviceName(body.name), scopes, maker: who, window: false };
        const { device, token } = await tokens.addDevice(wish);
        return created({ device: deviceViewOf(device), token });
      },
    }),
    route({
      method: 'DELETE',
      path: '/devices/:device',
      scope: 'owner',
      async handle({ params }) {
        if (await tokens.revokeDevice(params.device ?? '')) return ok({ revoked: true });
        throw notFound('There is no such device.', 'The list of devices shows what can be revoked.');
      },
    }),
  ];
}

function ticketRoutes({ tokens, tickets, signOut }: RouteContext): Route[] {
  return [
    bodyRoute({
      method: 'POST',
      path: '/tickets',
      scope: 'read',
      optional: true,
      body: ticketBodySchema,
      async handle({ who, body }) {
        const scopes = body.scopes === undefined ? spelledScopes(who.scopes) : subset(who, body.scopes);
        return created({ ticket: tickets.issue(who, scopes), expiresInMs: ticketLifeMs, scopes });
      },
    }),
    bodyRoute({
      method: 'POST',
      path: '/tickets/redeem',
      scope: 'ticket',
      body: redeemBodySchema,
      async handle({ body }) {
        const name = deviceName(body.name);
        const principal = tickets.redeem(body.ticket);
        if (principal === null)
          throw notAllowed('The ticket is unknown, used or expired.', 'Open the window anew.');
        const scopes = spelledScopes(principal.scopes);
        const { device, token } = await tokens.addDevice({ name, scopes, maker: principal, window: true });
        await tokens.tidyWindows();
        return created({ device: deviceViewOf(device), token });
      },
    }),
    route({
      method: 'POST',
      path: '/token/rotate',
      scope: 'owner',
      async handle() {
        await tokens.rotate();
        signOut(null);
        return ok({ rotated: true });
      },
    }),
  ];
}

/** Such a name is shown beside approvals, in windows and in terminals: nobody may hide or fake anything with it. */
function deviceName(text: string): string {
  const name = text.trim();
  const readable = visibleText(name) === name && !/[\n\t]/.test(name);
  if (name !== '' && [...name].length <= 64 && readable) return name;
  throw badInput('"name" has to be 1 to 64 characters, without line ends, control and invisible characters.');
}

/** The wanted scopes, when the asker has them all: nobody gives away what he has not. */
function subset(who: Principal, wanted: readonly Scope[]): Scope[] {
  if (wanted.length === 0) throw badInput('"scopes" has to name at least one scope.');
  const missing = wanted.find((scope) => !allows(who, scope));
  if (missing === undefined) return spelledScopes(wanted);
  throw notAllowed(`This token has not the scope "${missing}" itself.`, 'Ask for fewer scopes.');
}
