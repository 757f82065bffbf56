// What the model is told of a proposal that a person changed before they allowed it.
import { diffTexts, formatDiff } from '../edit/patch';

/** Of a command or a difference, in UTF-16 units. */
const TOLD_MAX_CHARS = 4_000;

export function changedCommand(command: string): string {
  return `The person changed the command before they allowed it, to:\n${clip(command)}`;
}

/** Where the person's text of a file differs from the proposed one. */
export function changedText(path: string, proposed: string, text: string): string {
  const diff = formatDiff(diffTexts(proposed, text, { path, change: 'edited' }));
  return `The person changed your text of ${path} before they allowed it. The difference (- yours, + theirs):\n${clip(diff)}`;
}

function clip(text: string): string {
  return text.length <= TOLD_MAX_CHARS ? text : `${text.slice(0, TOLD_MAX_CHARS)}… (there is more; read the file)`;
}
