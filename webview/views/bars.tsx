// What stands between the conversation and the composer: the plan, what went wrong, the demo's note; and words for screen readers.
import { usePanel, useRemembered } from '../panel';
import { TodoList } from '../displays/todosDisplay';
import { showHidden } from '../text/visible';
import { IconButton, LinkButton } from '../ui/controls';
import { Disclosure } from '../ui/disclosure';
import { Icon } from '../ui/icon';

export function TodoBar() {
  const { store } = usePanel();
  const isOpen = useRemembered('open todos', false);
  const todos = store.panel.value?.todos ?? [];
  if (todos.length === 0) return null;
  const done = todos.filter(({ status }) => status === 'completed').length;
  const current = todos.find(({ status }) => status === 'in_progress');
  return (
    <section class="todo-bar" aria-label="Plan">
      <Disclosure isOpen={isOpen}>
        <span class="todo-count">
          Plan {done}/{todos.length}
        </span>
        {!isOpen.value && current && (
          <span class="todo-current" dir="auto">
            {showHidden(current.content)}
          </span>
        )}
      </Disclosure>
      {isOpen.value && <TodoList todos={todos} />}
    </section>
  );
}

export function ProblemBar() {
  const { store } = usePanel();
  const problem = store.problem.value;
  return (
    <div role="alert">
      {problem !== undefined && (
        <div class="notice error problem-bar">
          <Icon name="error" />
          <div class="notice-words">{showHidden(problem)}</div>
          <IconButton icon="close" label="Dismiss" onClick={() => (store.problem.value = undefined)} />
        </div>
      )}
    </div>
  );
}

export function DemoBar() {
  const { store, actions } = usePanel();
  if (!store.panel.value?.isDemo) return null;
  return (
    <div class="demo-bar">
      <Icon name="beaker" />
      <span>This is the built-in demo model. It knows one small task and no other.</span>
      <LinkButton onClick={() => actions.runCommand('lathe.setApiKey')}>Set API key</LinkButton>
      <LinkButton onClick={() => actions.runCommand('lathe.openSettings')}>Set endpoint</LinkButton>
      <LinkButton onClick={() => actions.runCommand('lathe.openDemo')}>Open demo project</LinkButton>
    </div>
  );
}

export function TrustBar() {
  const { store, actions } = usePanel();
  if (!store.panel.value?.isRestricted) return null;
  return (
    <div class="demo-bar" role="status">
      <Icon name="shield" />
      <span>
        This workspace is not trusted: Lathe only reads in it. Edits, commands, hooks and MCP servers are off.
      </span>
      <LinkButton onClick={() => actions.runCommand('lathe.manageTrust')}>Manage workspace trust</LinkButton>
    </div>
  );
}

/** Two regions that are read out when their words change: one waits its turn, one does not. */
export function Announcer() {
  const { store } = usePanel();
  const { polite, assertive } = store;
  return (
    <div class="hidden-words">
      <div role="log" aria-live="polite" aria-label="Replies">
        {polite.value.text && <p key={polite.value.key}>{polite.value.text}</p>}
      </div>
      <div role="alert" aria-live="assertive">
        {assertive.value.text && <p key={assertive.value.key}>{assertive.value.text}</p>}
      </div>
    </div>
  );
}
