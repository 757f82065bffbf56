// The panel as a whole.
import { usePanel } from '../panel';
import { showHidden } from '../text/visible';
import { Busy, Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Announcer, DemoBar, ProblemBar, TodoBar, TrustBar } from './bars';
import { Composer } from './composer';
import { ReviewBar } from './reviewBar';
import { TaskBar } from './taskBar';
import { Transcript } from './transcript';

export function App({ onReload }: { readonly onReload: () => void }) {
  const { store } = usePanel();
  const failure = store.failure.value;
  if (failure !== undefined) {
    return (
      <main class="empty">
        <Icon name="error" class="large" />
        <h1>The panel could not be loaded</h1>
        <p role="alert">{showHidden(failure)}</p>
        <Button look="primary" onClick={onReload}>
          Try again
        </Button>
      </main>
    );
  }
  if (!store.panel.value) {
    return (
      <main class="empty">
        <Busy label="The conversation is being loaded" />
      </main>
    );
  }
  return (
    <>
      <Transcript />
      <footer class="bottom">
        <div class="bars">
          <TodoBar />
          <TaskBar />
          <ReviewBar />
          <ProblemBar />
          <TrustBar />
          <DemoBar />
        </div>
        <Composer />
      </footer>
      <Announcer />
    </>
  );
}
