// A path that opens in the editor: its name first to the eye, its folder after it.
import { usePanel } from '../panel';
import { splitPath } from '../text/format';
import { showHidden } from '../text/visible';

export function PathLink({ path, line }: { readonly path: string; readonly line?: number }) {
  const { actions } = usePanel();
  const { folder, name } = splitPath(path);
  return (
    <button type="button" class="link path" title={showHidden(path)} onClick={() => actions.openFile(path, line)}>
      <span class="path-name">
        {showHidden(name || path)}
        {line !== undefined && `:${line}`}
      </span>
      {name && folder && <span class="path-folder">{showHidden(folder)}</span>}
    </button>
  );
}
