import type { ReactNode } from 'react';
import type { TodosItem } from '../../../shared/session/session-view-items.ts';
import { At } from '../../ui/time.tsx';
import { useText } from '../../ui/window-context.tsx';

/** The model's own list as a call left it. */
export function TodoList({ item }: { item: TodosItem }): ReactNode {
  const text = useText();
  return (
    <div className="line todo-list">
      <p className="message-meta">
        <span>{text.history.todos(item.todos.length)}</span> <At at={item.at} />
      </p>
      <ul>
        {item.todos.map((todo, index) => (
          // The list is replaced as a whole and two items may say the same: the place is the identity.
          <li key={index} className={`todo is-${todo.state}`}>
            <span className="todo-state">{text.history.todoStates[todo.state]}</span> {todo.text}
          </li>
        ))}
      </ul>
    </div>
  );
}
