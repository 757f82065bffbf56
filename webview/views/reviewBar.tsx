// What waits for the person's review: how much it is, what to do with it, and the files, which open as diffs in the editor.
import type { ReviewItem } from '../../src/common/protocol';
import { usePanel, useRemembered } from '../panel';
import { countOf, splitPath } from '../text/format';
import { showHidden } from '../text/visible';
import { IconButton, LinkButton } from '../ui/controls';
import { Disclosure } from '../ui/disclosure';

export function ReviewBar() {
  const { store, actions } = usePanel();
  const isOpen = useRemembered('open review', false);
  const review = store.panel.value?.review;
  const isThere = review !== undefined && review.files > 0;
  return (
    <>
      {/* There before its words are: a region that comes with them is not read out. */}
      <div class="hidden-words" role="status" aria-label="Changes to review">
        {isThere && `${countOf(review.files, 'file')} changed, ${review.added} lines added, ${review.removed} removed`}
      </div>
      {isThere && (
        <section class="review-bar" aria-label="Changes of Lathe’s to review">
          <div class="review-head">
            <Disclosure isOpen={isOpen}>
              <span class="review-words">{countOf(review.files, 'file')} changed</span>
              <Counts added={review.added} removed={review.removed} />
            </Disclosure>
            <span class="spring" />
            <span class="review-actions">
              <LinkButton title="Show all changes in one editor" onClick={() => actions.actOnReview('open')}>
                Review
              </LinkButton>
              <LinkButton title="Keep all changes" onClick={() => actions.actOnReview('keep')}>
                Keep
              </LinkButton>
              <LinkButton title="Undo all changes" onClick={() => actions.actOnReview('undo')}>
                Undo
              </LinkButton>
            </span>
          </div>
          {isOpen.value && <ReviewList listed={review.listed} more={review.files - review.listed.length} />}
        </section>
      )}
    </>
  );
}

const CHANGES: Readonly<Record<ReviewItem['change'], string>> = {
  created: 'new',
  edited: '',
  deleted: 'deleted',
  moved: 'moved',
};

function ReviewList({ listed, more }: { readonly listed: readonly ReviewItem[]; readonly more: number }) {
  const { actions } = usePanel();
  return (
    <ul class="review-list plain-list">
      {listed.map(({ path, name: shown, change, added, removed }) => {
        const { folder, name } = splitPath(shown);
        const words = showHidden(shown);
        return (
          <li key={path} class="review-file">
            <button type="button" class="link path" title={words} onClick={() => actions.actOnReview('open', path)}>
              <span class="path-name">{showHidden(name || shown)}</span>
              {name && folder && <span class="path-folder">{showHidden(folder)}</span>}
            </button>
            {CHANGES[change] && <span class="dim">{CHANGES[change]}</span>}
            <span class="spring" />
            <span class="review-does">
              <Counts added={added} removed={removed} />
              <IconButton icon="check" label={`Keep ${words}`} onClick={() => actions.actOnReview('keep', path)} />
              <IconButton icon="discard" label={`Undo ${words}`} onClick={() => actions.actOnReview('undo', path)} />
            </span>
          </li>
        );
      })}
      {more > 0 && <li class="dim">and {countOf(more, 'more file')}</li>}
    </ul>
  );
}

function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="counts">
      <span class="added">
        +{added}
        <span class="hidden-words"> lines added,</span>
      </span>{' '}
      <span class="removed">
        −{removed}
        <span class="hidden-words"> removed</span>
      </span>
    </span>
  );
}
