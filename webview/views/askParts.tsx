// What a person is told about a call that asks: why it asks, what it leads to, and what its parts are taken for.
import type { AskPart, PermissionAsk } from '../../src/common/asks';
import { riskiestFirst } from '../../src/common/askParts';
import type { DeedKind } from '../../src/common/deeds';
import { countOf } from '../text/format';
import { showBlankRuns, showHidden } from '../text/visible';
import { Icon } from '../ui/icon';

/** Reasons come most important first. */
export function AskReasons({ ask }: { readonly ask: Pick<PermissionAsk, 'reasons' | 'deeds'> }) {
  const { reasons, deeds = [] } = ask;
  if (reasons.length === 0 && deeds.length === 0) return null;
  return (
    <ul class="reasons plain-list">
      {reasons.map((reason) => (
        <li key={reason} dir="auto">
          <Icon name="warning" /> {showBlankRuns(showHidden(reason))}
        </li>
      ))}
      {deeds.map((deed) => (
        <li key={deed}>
          <Icon name={DEEDS[deed].icon} class="deed" /> {DEEDS[deed].words}
        </li>
      ))}
    </ul>
  );
}

const DEEDS: Readonly<Record<DeedKind, { readonly icon: string; readonly words: string }>> = {
  commit: { icon: 'git-commit', words: 'Commits to the repository' },
  push: { icon: 'repo-push', words: 'Pushes to a remote' },
  pullRequest: { icon: 'git-pull-request', words: 'Creates a pull request' },
};

const VERDICTS: Readonly<Record<AskPart['verdict'], { readonly icon: string; readonly words: string }>> = {
  asks: { icon: 'shield', words: 'asks' },
  allowed: { icon: 'pass', words: 'allowed' },
  reads: { icon: 'eye', words: 'only reads' },
};
/** A command part by part. One part of which all is said already is the command itself, which is shown anyway. */
export function AskParts({ ask }: { readonly ask: Pick<PermissionAsk, 'parts' | 'moreParts' | 'reasons'> }) {
  const { parts = [], moreParts = 0, reasons } = ask;
  const isTelling = parts.length > 1 || parts.some(({ notes }) => notes.some((note) => !reasons.includes(note)));
  if (!isTelling) return null;
  return (
    <ul class="parts plain-list" aria-label="What the command is made of" tabIndex={0}>
      {riskiestFirst(parts).map((part, at) => (
        <li key={at} class={`part ${part.verdict}`}>
          <Icon name={VERDICTS[part.verdict].icon} />
          <span class="part-body">
            <code dir="auto">{showBlankRuns(showHidden(part.text))}</code>{' '}
            <span class="dim">{[VERDICTS[part.verdict].words, ...part.notes.map(showHidden)].join(' · ')}</span>
          </span>
        </li>
      ))}
      {moreParts > 0 && <li class="dim">and {countOf(moreParts, 'more part')}</li>}
    </ul>
  );
}
