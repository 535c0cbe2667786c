import * as z from 'zod/mini';

/** How far the author of a text is trusted. `self` is Kairos (ticks, verdict wakes); `untrusted` is text from files, webhooks, strangers. */
export const trustSchema = z.enum(['owner', 'approver', 'known', 'untrusted', 'self']);
export type Trust = z.infer<typeof trustSchema>;

/** Who caused something; fixed when it is admitted and copied to turn, prompt, effect and usage. */
export const originSchema = z.object({
  principal: z.string(),
  trust: trustSchema,
  surface: z.string(),
  device: z.optional(z.string()),
});
export type Origin = z.infer<typeof originSchema>;

/** Where an answer goes; fixed when its cause is admitted. `surface` is `viewers` (the log itself is the delivery) or a channel's surface id. */
export const routeSchema = z.object({
  surface: z.string(),
  chat: z.optional(z.string()),
  thread: z.optional(z.string()),
  reply_to: z.optional(z.string()),
});
export type Route = z.infer<typeof routeSchema>;

/** The route of everything written in a viewer or the CLI: every viewer shows it, nothing is sent. */
export const viewersRoute: Route = { surface: 'viewers' };

/** The origin of what Kairos does by itself. */
export const selfOrigin: Origin = { principal: 'kairos', trust: 'self', surface: 'daemon' };

/** A stable key of a route; equal routes give equal keys. */
export function routeKey(route: Route): string {
  return [route.surface, route.chat ?? '', route.thread ?? ''].join('\u0000');
}
