import { sandboxModeSchema } from '../../../shared/domain/sandbox.ts';
import type { SendBody } from '../../../shared/protocol/bridge.ts';
import type { Arguments } from '../arguments/command-spec.ts';

/** The rules and the sandbox that were typed for a new session; members are absent where nothing was. */
export function sessionWishes(args: Arguments): Pick<SendBody, 'rules' | 'sandbox'> {
  const rules = { allow: [...args.list('allow')], ask: [...args.list('ask')], deny: [...args.list('deny')] };
  const given = Object.values(rules).some((list) => list.length > 0);
  const sandbox = args.text('sandbox');
  return {
    ...(given ? { rules } : {}),
    ...(sandbox === undefined ? {} : { sandbox: sandboxModeSchema.parse(sandbox) }),
  };
}
