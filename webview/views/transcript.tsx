// The conversation: the rows that are drawn, and a way back to the latest one.
import type { VNode } from 'preact';
import type { Row } from '../../src/common/rows';
import { MAIN_AGENT } from '../../src/common/events';
import { usePanel } from '../panel';
import { Button, Busy } from '../ui/controls';
import { Icon } from '../ui/icon';
import { EmptyView } from './emptyView';
import { EndView, NoticeView, RetryView } from './noticeViews';
import { useTranscriptScroll } from './scroll';
import { PromptView, TextView, ThinkingView } from './textViews';
import { ToolView } from './toolView';

type Views = { readonly [T in Row['type']]: (props: { readonly row: Extract<Row, { type: T }> }) => VNode | null };

const VIEWS: Views = {
  prompt: PromptView,
  text: TextView,
  thinking: ThinkingView,
  tool: ToolView,
  notice: NoticeView,
  retry: RetryView,
  end: EndView,
};

export function Transcript() {
  const { store } = usePanel();
  const scroll = useTranscriptScroll();
  const isEmpty = scroll.ids.length === 0;
  const asking = store.asking.value[0];
  return (
    <main class="transcript-frame">
      <h1 class="hidden-words">Lathe</h1>
      <div
        class="transcript"
        ref={scroll.scroller}
        onScroll={scroll.onScroll}
        onWheel={scroll.onWheel}
        tabIndex={0}
        role="region"
        aria-label="Conversation"
      >
        <div class="rows" ref={scroll.content}>
          <div class="edge" ref={scroll.topEdge} />
          {store.hasMore.value && (
            <div class="older">
              <Busy label="Earlier messages are being loaded" />
            </div>
          )}
          {isEmpty && <EmptyView />}
          {scroll.ids.map((id) => (
            <RowView key={id} id={id} />
          ))}
          <div class="edge" ref={scroll.bottomEdge} />
        </div>
      </div>
      {!scroll.isFollowing.value && (
        <div class="jumps">
          {asking !== undefined && (
            <Button look="primary" onClick={() => scroll.showRow(asking)}>
              <Icon name="shield" /> Lathe waits for you
            </Button>
          )}
          <button type="button" class="jump" onClick={scroll.jumpToLatest}>
            <Icon name="arrow-down" /> Jump to latest
          </button>
        </div>
      )}
    </main>
  );
}

function RowView({ id }: { readonly id: string }) {
  const { store } = usePanel();
  const row = store.row(id)?.value;
  if (!row) return null;
  const View = VIEWS[row.type] as (props: { readonly row: Row }) => VNode | null;
  return (
    <div class={`row row-${row.type} ${row.agent === MAIN_AGENT ? '' : 'sub-agent'}`} data-row={id}>
      <View row={row} />
    </div>
  );
}
