// The panel's entry: connects the page to the host and draws it.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { createActions } from './actions';
import { openChannel } from './bridge';
import { keepDraft } from './draft';
import { PanelContext } from './panel';
import { PanelStore } from './state';
import { keepInStep } from './sync';
import { registerControls } from './ui/toolkit';
import { App } from './views/app';
import './styles/base.css';
import './styles/controls.css';
import './styles/transcript.css';
import './styles/markdown.css';
import './styles/tools.css';
import './styles/asks.css';
import './styles/composer.css';

function main(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no element with the id "root".');
  registerControls();
  const channel = openChannel();
  const store = new PanelStore();
  const actions = createActions(channel, store);
  const sync = keepInStep(channel, store);
  keepDraft(channel, store, actions);
  window.addEventListener('focus', () => actions.takeFocus());
  effect(() => {
    document.body.classList.toggle('running', store.panel.value?.running ?? false);
  });
  render(
    <PanelContext.Provider value={{ store, actions }}>
      <App onReload={() => void sync.load()} />
    </PanelContext.Provider>,
    root,
  );
  void sync.load();
}

main();
