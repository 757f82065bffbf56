// The files that a call changed without showing how: a quiet line that opens a list of them.
import type { ToolRow } from '../../src/common/rows';
import { PathLink } from '../displays/pathLink';
import { useRemembered } from '../panel';
import { countOf } from '../text/format';
import { Disclosure } from '../ui/disclosure';

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
      <Disclosure isOpen={isOpen} class="dim">
        Changed {countOf(listed.length + more, 'file')}
      </Disclosure>
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
