import * as z from 'zod/mini';
import { realDirectory } from '../places.ts';
import { defineTool, failed, ok, type ToolContext } from '../tool.ts';

const schema = z.object({ task_id: z.optional(z.string()) });

/** Ends a background task, or lists those that run. */
export const taskStopTool = defineTool({
  name: 'TaskStop',
  topic: 'listing and stopping background tasks',
  description:
    'Stops a background task of Bash (run_in_background) with all that it started. Without task_id: lists the tasks that run.',
  schema,
  // What it ends belongs to this session and ends with its worker anyway; a second time nothing is left to end.
  class: 'pure',
  access: 'person',
  async look({ task_id: id = '' }, context) {
    const place = await realDirectory(context);
    if (typeof place === 'string') return place;
    const task = context.tasks.running.find((running) => running.id === id);
    const preview = id === '' ? 'lists the background tasks' : `${id}: ${task?.title ?? 'not running'}`;
    return { ...place, subject: id, paths: [], preimages: [], preview, description: '' };
  },
  async act({ task_id: id }, _facts, context) {
    if (id === undefined) return ok(listed(context));
    const stopped = await context.tasks.stop(id);
    return stopped ? ok(`Stopped ${id}.`) : failed(`No background task "${id}" runs. ${listed(context)}`);
  },
});

function listed({ tasks }: ToolContext): string {
  if (tasks.running.length === 0) return 'No background task runs.';
  const lines = tasks.running.map(({ id, title, output }) => `${id}: ${title} (output: ${output})`);
  return `Running:\n${lines.join('\n')}`;
}
