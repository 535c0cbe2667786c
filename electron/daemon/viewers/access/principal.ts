import type { Origin } from '../../../../shared/domain/origin-route.ts';
import type { AnsweredBy } from '../../../../shared/domain/prompts.ts';
import { type Scope, scopeSchema } from '../../../../shared/protocol/bridge.ts';

/** Who asks. Scopes come from the token's record alone. `device` null: the owner token of `daemon.json`. */
export interface Principal {
  readonly device: { readonly id: string; readonly name: string } | null;
  readonly scopes: ReadonlySet<Scope>;
}

const allScopes: readonly Scope[] = scopeSchema.options;

/** The programs of the same user that read the token from `daemon.json`. */
export const ownerPrincipal: Principal = { device: null, scopes: new Set(allScopes) };

/** True when the principal may do what needs `scope`; `owner` includes the others. */
export function allows({ scopes }: Pick<Principal, 'scopes'>, scope: Scope): boolean {
  return scopes.has('owner') || scopes.has(scope);
}

/** The scopes with what `owner` includes spelled out, in a fixed order. */
export function spelledScopes(scopes: Iterable<Scope>): Scope[] {
  const given = new Set(scopes);
  return allScopes.filter((scope) => given.has('owner') || given.has(scope));
}

/** Where a message of this principal came from. A device without the owner scope is trusted as far as its scopes reach. */
export function originOf(who: Principal): Origin {
  const { device } = who;
  if (device === null) return { principal: 'owner', trust: 'owner', surface: 'viewers' };
  const trust = allows(who, 'owner') ? 'owner' : allows(who, 'approve') ? 'approver' : 'known';
  return {
    principal: trust === 'owner' ? 'owner' : device.name,
    trust,
    surface: 'viewers',
    device: device.id,
  };
}

/** Who answers a prompt, for everybody else to see. */
export function answeredBy(who: Principal, at: number): AnsweredBy {
  const { principal, surface, device } = originOf(who);
  return device === undefined ? { surface, principal, at } : { surface, principal, device, at };
}
