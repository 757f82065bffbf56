// What a call shows, drawn by the kind of its display. A kind this panel does not know yet is shown as text.
import type { VNode } from 'preact';
import type { Display, DisplayKind } from '../../src/common/display';
import { showOutput } from '../text/visible';
import { DiffDisplay } from './diffDisplay';
import { FileDisplay, FilesDisplay } from './fileDisplay';
import { MatchesDisplay } from './matchesDisplay';
import { QuestionsDisplay } from './questionsDisplay';
import { ShellDisplay } from './shellDisplay';
import { TextDisplay } from './textDisplay';
import { TodosDisplay } from './todosDisplay';

/** Where a display stands: in the card of a call, in what a person is asked to approve, where nothing may be hidden, or in what never ran. */
export type Place = 'card' | 'approval' | 'unrun';

export interface DisplayProps<K extends DisplayKind> {
  readonly display: Extract<Display, { readonly kind: K }>;
  readonly call: string;
  /** Length of the call's whole stored output. */
  readonly wholeChars: number;
  readonly place: Place;
}

type Views = { readonly [K in DisplayKind]: (props: DisplayProps<K>) => VNode };

const VIEWS: Views = {
  text: TextDisplay,
  file: FileDisplay,
  files: FilesDisplay,
  matches: MatchesDisplay,
  diff: DiffDisplay,
  shell: ShellDisplay,
  todos: TodosDisplay,
  questions: QuestionsDisplay,
};

interface Props {
  readonly display: Display;
  readonly call: string;
  /** Length of the call's whole stored output. */
  readonly wholeChars: number;
  readonly place: Place;
}

export function DisplayView(props: Props) {
  const View = VIEWS[props.display.kind] as ((props: Props) => VNode) | undefined;
  if (View) return <View {...props} />;
  return <pre class="output">{showOutput(JSON.stringify(props.display, undefined, 2))}</pre>;
}
