import { oneLine } from '../../../shared/base/visible-text.ts';
import {
  type DeviceView,
  type Scope,
  newDeviceAnswerSchema,
  scopeSchema,
} from '../../../shared/protocol/bridge.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { anyAnswerSchema, devicesAnswerSchema } from '../bridge/answers.ts';
import { ask, get, post } from '../bridge/client.ts';
import { usageFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { printJson, printText } from '../output/print.ts';
import { table } from '../output/table.ts';
import { isoTime, relativeTime } from '../output/times.ts';

function seen(device: DeviceView, now: number): string {
  if (device.revokedAt !== null) return `revoked ${relativeTime(device.revokedAt, now)}`;
  return device.lastSeen === null ? 'never seen' : relativeTime(device.lastSeen, now);
}

/** `window of phone, `: what it is and who made it; nothing for a device that the owner made. */
function kind(device: DeviceView, all: readonly DeviceView[]): string {
  const maker = all.find(({ id }) => id === device.madeBy);
  const of = maker === undefined ? '' : ` of ${oneLine(maker.name, 30)}`;
  if (device.window) return `window${of}, `;
  return maker === undefined ? '' : `made by ${oneLine(maker.name, 30)}, `;
}

/** What lasts first, then windows, at last what was ended. */
function rank({ revokedAt, window }: DeviceView): number {
  return revokedAt !== null ? 2 : window ? 1 : 0;
}

/** `kairos devices`: the programs and machines that may use the bridge. */
export const list: RunCommand = async (context, args) => {
  const devices = await get(context, '/devices', devicesAnswerSchema);
  if (args.flag('json')) {
    const facts = devices.map((device) => ({
      ...device,
      revokedAt: device.revokedAt === null ? null : isoTime(device.revokedAt),
      createdAt: isoTime(device.createdAt),
      lastSeen: device.lastSeen === null ? null : isoTime(device.lastSeen),
    }));
    return printJson(context, facts);
  }
  if (devices.length === 0)
    return printText(context, 'No devices. Only programs of this user can reach Kairos.');
  const now = context.clock.now();
  const ordered = devices.toSorted((left, right) => rank(left) - rank(right));
  const rows = ordered.map((device) => [
    { text: oneLine(device.name, 100) },
    { text: device.scopes.join(', '), fit: 'wrap' as const },
    { text: `${kind(device, devices)}${seen(device, now)}`, fit: 'wrap' as const },
    { text: foreignLine(device.id), fit: 'whole' as const },
  ]);
  return printText(context, table(rows, context.stdout.columns));
};

function readScopes(text: string): Scope[] {
  return text.split(',').map((word) => {
    const scope = scopeSchema.safeParse(word.trim());
    if (scope.success) return scope.data;
    const next = `Use some of: ${scopeSchema.options.join(', ')}`;
    throw usageFailure(`--scopes cannot hold "${word.trim().slice(0, 40)}".`, next);
  });
}

/** `kairos devices add NAME`: prints the device's token, which is shown this once. */
export const add: RunCommand = async (context, args) => {
  const body = { name: args.required(0), scopes: readScopes(args.text('scopes') ?? 'read,send,approve') };
  const answer = await post(context, '/devices', body, newDeviceAnswerSchema);
  if (args.flag('json')) return printJson(context, { ...answer.device, token: answer.token });
  return printText(
    context,
    `${foreignLine(answer.token)}\nThe token of ${foreignLine(body.name)} (${foreignLine(answer.device.id)}) is shown only now.`,
  );
};

/** `kairos devices revoke ID` */
export const revoke: RunCommand = async (context, args) => {
  const path = `/devices/${encodeURIComponent(args.required(0))}`;
  const { value } = await ask(context, { method: 'DELETE', path, repeatable: false }, anyAnswerSchema);
  if (args.flag('json')) return printJson(context, value);
  return printText(context, 'The device can no longer connect.');
};
