// What may be allowed for longer: each rule is read before it can be kept, and nothing else is kept.
import type { GrantOffer } from '../../src/common/asks';
import { showBlankRuns, showHidden } from '../text/visible';
import { Button } from '../ui/controls';

export type Keeping = 'session' | 'always';

interface Props {
  readonly grants: readonly GrantOffer[];
  readonly disabled: boolean;
  readonly onKeep: (grant: number, keeping: Keeping) => void;
}

export function AskGrants({ grants, disabled, onKeep }: Props) {
  return (
    <div class="grants">
      {grants.map(({ label, rule, mayLast }, at) => (
        <div class="grant" key={rule} role="group" aria-label={`Allow ${showHidden(label)}`}>
          <p dir="auto">
            {showHidden(label)}: <code class="rule">{showBlankRuns(showHidden(rule))}</code>
          </p>
          <div class="buttons">
            <Button disabled={disabled} onClick={() => onKeep(at, 'session')}>
              For this session
            </Button>
            {mayLast && (
              <Button disabled={disabled} onClick={() => onKeep(at, 'always')}>
                Always
              </Button>
            )}
          </div>
        </div>
      ))}
      <p class="dim">
        What is allowed for this session is forgotten with it.
        {grants.some(({ mayLast }) => mayLast) &&
          ' What is always allowed is kept in your user settings, under lathe.permission.allow, for every workspace.'}
      </p>
    </div>
  );
}
