import { Readable } from 'node:stream';
import { type SendBody, sendBodySchema } from '../../../../shared/protocol/bridge.ts';
import { allows, originOf } from '../access/principal.ts';
import { created, notAllowed, notFound, ok } from './answers.ts';
import { findSession, type RouteContext } from './context.ts';
import { bodyRoute, type Route, route } from './route.ts';

/** Sending and following one message. */
export function messageRoutes(context: RouteContext): Route[] {
  const { commands } = context;
  return [
    bodyRoute({
      method: 'POST',
      path: '/messages',
      scope: 'send',
      body: sendBodySchema,
      async handle({ who, body }) {
        if (!allows(who, 'owner')) await checkViewer(context, body);
        return created(await commands.send(body, originOf(who)));
      },
    }),
    route({
      method: 'GET',
      path: '/messages/:message',
      scope: 'read',
      async handle({ params }) {
        return ok(await commands.messageAnswer(params.message ?? ''));
      },
    }),
    // A file of a message. What it is named and what it holds stands in the message; here it is bytes that no browser runs.
    route({
      method: 'GET',
      path: '/blobs/:hash',
      scope: 'read',
      async handle({ params }) {
        const bytes = await context.store.blob(params.hash ?? '');
        if (bytes === null) throw notFound('There is no such file.', 'It may have been removed.');
        const stream = Readable.from([bytes]);
        return { kind: 'stream', type: 'application/octet-stream', stream, file: true };
      },
    }),
  ];
}

/** What behaviour 3 gives to owners only: new sessions, modes, models, directories, brief mode, rules, and stopping a running turn. */
async function checkViewer({ store }: RouteContext, body: SendBody): Promise<void> {
  const ownerOnly = (['mode', 'model', 'dir', 'brief', 'rules', 'sandbox'] as const).find(
    (field) => body[field] !== undefined,
  );
  const next = 'Do it in the window or with the CLI on the machine itself.';
  if (ownerOnly !== undefined) throw notAllowed(`This device may not set "${ownerOnly}".`, next);
  if (body.queue === 'replace') throw notAllowed('This device may not interrupt a running turn.', next);
  if (body.session === undefined) throw notAllowed('This device may not create sessions.', 'Name a session.');
  const row = await findSession(store, body.session);
  if (row.archivedAt !== null) throw notFound('That session is archived.', 'Name another session.');
}
