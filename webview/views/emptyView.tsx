// What is shown before the first prompt.
import { usePanel } from '../panel';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';

const SUGGESTIONS = [
  { icon: 'bug', text: 'Run the tests and fix what fails' },
  { icon: 'book', text: 'Explain how this project is built up' },
  { icon: 'lightbulb', text: 'Find a part that is hard to read and make it simpler' },
] as const;

export function EmptyView() {
  const { store, actions } = usePanel();
  const state = store.panel.value;
  if (!state) return null;
  if (!state.hasWorkspace) {
    return (
      <div class="empty">
        <Icon name="folder-opened" class="large" />
        <h2>No folder is open</h2>
        <p>Lathe works in a folder: it reads, edits and runs what is in there. Open one with File › Open Folder.</p>
        <Button look="primary" onClick={() => actions.runCommand('lathe.openDemo')}>
          Open the demo project
        </Button>
      </div>
    );
  }
  return (
    <div class="empty">
      <Icon name="sparkle" class="large" />
      <h2>What should Lathe do?</h2>
      <p>It reads, edits and runs your project through the editor. Changes and commands wait for your approval.</p>
      <ul class="suggestions plain-list">
        {SUGGESTIONS.map(({ icon, text }) => (
          <li key={text}>
            <button
              type="button"
              class="suggestion"
              onClick={() => {
                store.draft.value = text;
                store.focusRequests.value += 1;
              }}
            >
              <Icon name={icon} /> {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
