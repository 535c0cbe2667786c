import { fileNameProblem } from '../../../../shared/domain/file-name.ts';
import { badInput, created } from './answers.ts';
import { findSession, type RouteContext } from './context.ts';
import { bytesRoute, type Route } from './route.ts';

/** Files that a person sends to a session; what they are for stands in the message that names them. */
export function fileRoutes({ store, commands }: RouteContext): Route[] {
  return [
    bytesRoute({
      method: 'POST',
      path: '/sessions/:session/files',
      scope: 'send',
      async handle({ params, query, content }) {
        const name = query.get('name') ?? '';
        const problem = fileNameProblem(name);
        if (problem !== null) throw badInput(`The name of the file ${problem}.`, 'Give it another name.');
        const { id } = await findSession(store, params.session);
        return created(await commands.takeFile({ session: id, name, content }));
      },
    }),
  ];
}
