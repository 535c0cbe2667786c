import { visibleText } from '../../../../shared/base/visible-text.ts';
import {
  deviceBodySchema,
  redeemBodySchema,
  type Scope,
  ticketBodySchema,
} from '../../../../shared/protocol/bridge.ts';
import { allows, type Principal, spelledScopes } from '../access/principal.ts';
import { ticketLifeMs } from '../access/tickets.ts';
import { deviceViewOf } from '../session-summary-view.ts';
import { badInput, created, notAllowed, notFound, ok } from './answers.ts';
import type { RouteContext } from './context.ts';
import { bodyRoute, type Route, route } from './route.ts';

/** Devices, tickets and tokens: everything that decides what others may do. */
export function accessRoutes(context: RouteContext): Route[] {
  return [...deviceRoutes(context), ...ticketRoutes(context)];
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
