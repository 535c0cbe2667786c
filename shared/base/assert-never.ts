/** Ends a `switch` over a union: does not compile when a member is missing; throws when one arrives at run time. */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`Unexpected ${what}: ${JSON.stringify(value)}`);
}
