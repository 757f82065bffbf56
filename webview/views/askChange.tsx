// A command as the person would rather have it.
import { showBlankRuns, showHidden } from '../text/visible';

interface Props {
  readonly text: string;
  readonly onInput: (text: string) => void;
}

/** What a text field would not show of it (what was pasted, say) stands below. */
export function ChangeCommand({ text, onInput }: Props) {
  const shown = showBlankRuns(showHidden(text));
  return (
    <div class="change">
      <textarea
        class="change-text"
        aria-label="The command to run instead"
        spellcheck={false}
        rows={Math.min(12, text.split('\n').length + 1)}
        value={text}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {shown !== text && (
        <p class="problem">
          As it will run: <code>{shown}</code>
        </p>
      )}
    </div>
  );
}
