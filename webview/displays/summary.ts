// What a call did, in a few words beside its title.
import type { Display, DisplayKind } from '../../src/common/display';
import { countOf } from '../text/format';

type Summaries = { readonly [K in DisplayKind]: (display: Extract<Display, { kind: K }>) => string };

const SUMMARIES: Summaries = {
  text: () => '',
  file: ({ startLine, endLine, totalLines = Infinity, unit = 'line' }) => {
    if (endLine < startLine) return 'empty';
    return startLine === 1 && endLine >= totalLines
      ? countOf(totalLines, unit)
      : `${unit}s ${startLine}–${endLine}${Number.isFinite(totalLines) ? ` of ${totalLines}` : ''}`;
  },
  files: ({ paths, more }) => (paths.length + more === 0 ? 'nothing found' : countOf(paths.length + more, 'file')),
  matches: ({ total, groups, more }) =>
    total === 0
      ? 'no matches'
      : `${countOf(total, 'match', 'matches')} in ${more > 0 ? 'more than ' : ''}${countOf(groups.length, 'file')}`,
  diff: ({ files }) => {
    const added = files.reduce((sum, file) => sum + file.added, 0);
    const removed = files.reduce((sum, file) => sum + file.removed, 0);
    const lines = `+${added} −${removed}`;
    return files.length > 1 ? `${countOf(files.length, 'file')}, ${lines}` : lines;
  },
  shell: ({ exit }) => {
    if (!exit) return '';
    if (exit.timedOut) return 'timed out';
    if (exit.signal !== undefined) return `ended by ${exit.signal}`;
    return exit.code === 0 ? '' : `exit code ${exit.code ?? 'unknown'}`;
  },
  todos: ({ todos }) => `${todos.filter(({ status }) => status === 'completed').length} of ${todos.length} done`,
  questions: ({ answers, questions }) => `${answers.length} of ${questions.length} answered`,
};

/** Empty when the title says it all. */
export function summarize(display: Display): string {
  const summary = SUMMARIES[display.kind] as ((display: Display) => string) | undefined;
  return summary?.(display) ?? '';
}
