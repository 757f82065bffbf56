// How views reach the store and the actions: a context, set once by the entry.
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import type { Actions } from './actions';
import type { PanelStore } from './state';

export interface Panel {
  readonly store: PanelStore;
  readonly actions: Actions;
}

export const PanelContext = createContext<Panel | undefined>(undefined);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('A view was drawn outside the panel.');
  return panel;
}

/** A value that outlives the component: rows out of sight are not drawn, and come back as they were left. */
export function useRemembered<T>(key: string, initial: T): Signal<T> {
  const { store } = usePanel();
  return useMemo(() => store.remember(key, initial), [store, key]);
}
