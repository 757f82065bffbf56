// Lines that a search found, by file.
import type { MatchGroup } from '../../src/common/display';
import { usePanel } from '../panel';
import { countOf } from '../text/format';
import { showHidden } from '../text/visible';
import { Badge } from '../ui/controls';
import type { DisplayProps } from './displayView';
import { PathLink } from './pathLink';
import { WholeOutput } from './wholeOutput';

export function MatchesDisplay({ display, call, wholeChars }: DisplayProps<'matches'>) {
  const { groups, total, more } = display;
  if (total === 0) return <p class="dim">No matches.</p>;
  return (
    <>
      <div class="matches bounded">
        {groups.map((group) => (
          <Group key={group.path} group={group} />
        ))}
        {more > 0 && <p class="dim">{countOf(more, 'more match', 'more matches')}</p>}
      </div>
      {more > 0 && <WholeOutput call={call} moreChars={wholeChars} />}
    </>
  );
}

function Group({ group }: { readonly group: MatchGroup }) {
  const { actions } = usePanel();
  return (
    <div class="match-group">
      <div class="file-line">
        <PathLink path={group.path} />
        <Badge>{group.count}</Badge>
      </div>
      {group.lines.map(({ line, text, isContext }) => (
        <button
          type="button"
          key={line}
          class={`match-line ${isContext ? 'dim' : ''}`}
          onClick={() => actions.openFile(group.path, line)}
        >
          <span class="line-number">{line}</span>
          <code>{showHidden(text)}</code>
        </button>
      ))}
    </div>
  );
}
