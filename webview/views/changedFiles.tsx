// The files that a call changed without showing how: a quiet line that opens a list of them.
import type { ToolRow } from '../../src/common/rows';
import { PathLink } from '../displays/pathLink';
import { useRemembered } from '../panel';
import { countOf } from '../text/format';
import { Icon } from '../ui/icon';

type Changes = NonNullable<ToolRow['changed']>;

const WORDS: Readonly<Record<Changes['listed'][number]['change'], string>> = {
  created: 'new',
  edited: '',
  deleted: 'deleted',
  moved: 'moved here',
};

export function ChangedFiles({ call, files: { listed, more } }: { readonly call: string; readonly files: Changes }) {
  const isOpen = useRemembered(`changed ${call}`, false);
  return (
    <div class="changed-files">
      <button
        type="button"
        class="disclosure dim"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon name={isOpen.value ? 'chevron-down' : 'chevron-right'} />
        Changed {countOf(listed.length + more, 'file')}
      </button>
      {isOpen.value && (
        <ul class="plain-list">
          {listed.map(({ path, change }) => (
            <li key={path} class="file-line">
              <PathLink path={path} /> {WORDS[change] && <span class="dim">{WORDS[change]}</span>}
            </li>
          ))}
          {more > 0 && <li class="dim">and {countOf(more, 'more file')}</li>}
        </ul>
      )}
    </div>
  );
}
