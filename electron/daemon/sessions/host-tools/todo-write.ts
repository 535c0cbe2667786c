import * as z from 'zod/mini';
import { mostTodos, type Todo, todoSchema } from '../../../../shared/domain/todos.ts';
import type { CallPlan } from '../../events/port.ts';
import { badInput, type HostInput, ok } from './host-input.ts';

const longestTodo = 1_000;
const todosSchema = z.object({
  todos: z
    .array(
      z.object({
        content: z.string().check(z.trim(), z.minLength(1), z.maxLength(longestTodo)),
        status: todoSchema.shape.state,
      }),
    )
    .check(z.maxLength(mostTodos)),
});

/** Replaces the model's own list, in the commit that ends the call. */
export function planTodos({ facts }: HostInput): CallPlan {
  const parsed = todosSchema.safeParse(facts.input);
  if (!parsed.success) return badInput('TodoWrite', parsed.error);
  const todos = parsed.data.todos.map(({ content, status }): Todo => ({ text: content, state: status }));
  return { do: 'todos', todos, result: ok(summary(todos)) };
}

function summary(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'Kept: the list is empty.';
  const count = (state: Todo['state']): number => todos.filter((todo) => todo.state === state).length;
  return `Kept: ${count('pending')} pending, ${count('in_progress')} in progress, ${count('completed')} completed.`;
}
