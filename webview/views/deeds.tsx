// What a call put into history or took to others, as it was found afterwards.
import type { Deed } from '../../src/common/deeds';
import { usePanel } from '../panel';
import { showHidden } from '../text/visible';
import { LinkButton } from '../ui/controls';
import { Icon } from '../ui/icon';

export function Deeds({ deeds }: { readonly deeds: readonly Deed[] }) {
  return (
    <ul class="deeds plain-list" aria-label="What it did to history">
      {deeds.map((deed, at) => (
        <li key={at} dir="auto">
          <DeedLine deed={deed} />
        </li>
      ))}
    </ul>
  );
}

function DeedLine({ deed }: { readonly deed: Deed }) {
  const { actions } = usePanel();
  switch (deed.kind) {
    case 'commit':
      return (
        <>
          <Icon name="git-commit" /> Committed <code>{showHidden(deed.hash)}</code>
          {deed.branch !== undefined && ` on ${showHidden(deed.branch)}`}: {showHidden(deed.subject)}
        </>
      );
    case 'push':
      return (
        <>
          <Icon name="repo-push" /> Pushed to {showHidden(deed.ref)}
        </>
      );
    case 'pullRequest':
      return (
        <>
          <Icon name="git-pull-request" /> Pull request{' '}
          <LinkButton onClick={() => actions.openLink(deed.url)}>{showHidden(deed.url)}</LinkButton>
        </>
      );
  }
}
