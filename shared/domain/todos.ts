import * as z from 'zod/mini';

/** An item of the model's own list. */
export const todoSchema = z.object({
  text: z.string(),
  state: z.enum(['pending', 'in_progress', 'completed']),
});
export type Todo = z.infer<typeof todoSchema>;

/** Items of one list. */
export const mostTodos = 100;
