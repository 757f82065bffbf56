// The list of what is to be done, with what is done already.
import type { Todo } from '../../src/common/display';
import { showHidden } from '../text/visible';
import { Icon } from '../ui/icon';
import type { DisplayProps } from './displayView';

const STATUS: Readonly<Record<Todo['status'], { readonly icon: string; readonly word: string }>> = {
  pending: { icon: 'circle-large', word: 'to do' },
  in_progress: { icon: 'record', word: 'in progress' },
  completed: { icon: 'pass-filled', word: 'done' },
};

export function TodosDisplay({ display }: DisplayProps<'todos'>) {
  return <TodoList todos={display.todos} />;
}

export function TodoList({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <ul class="todos plain-list">
      {todos.map(({ id, content, status }) => (
        <li key={id} class={status} dir="auto">
          <Icon name={STATUS[status].icon} />
          <span class="hidden-words">{STATUS[status].word}: </span>
          <span class="todo-words">{showHidden(content)}</span>
        </li>
      ))}
    </ul>
  );
}
