// How the transcript scrolls: it follows what arrives until the person scrolls up, and draws more where they scroll to.
import { signal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { usePanel } from '../panel';
import type { RowOrder } from '../state';
import { earlierWindow, idsIn, latestWindow, laterWindow, rowsEnd, windowAround, type RowWindow } from './window';

/** Nearer to the end than this counts as being there, in pixels. */
const AT_END_PX = 24;
/** A scroll this soon after a turn of the wheel comes from it. */
const WHEEL_MS = 500;
/** More is drawn before the person gets to the edge. */
const EDGE_MARGIN = '600px 0px';

export interface TranscriptScroll {
  readonly ids: readonly string[];
  readonly isFollowing: Signal<boolean>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly topEdge: RefObject<HTMLDivElement | null>;
  readonly bottomEdge: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  readonly onWheel: (event: WheelEvent) => void;
  readonly jumpToLatest: () => void;
  readonly showRow: (id: string) => void;
}

export function useTranscriptScroll(): TranscriptScroll {
  const { store, actions } = usePanel();
  const isFollowing = useMemo(() => signal(true), []);
  const held = useMemo(() => signal<RowWindow>({ start: 0, end: 0 }), []);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const topEdge = useRef<HTMLDivElement>(null);
  const bottomEdge = useRef<HTMLDivElement>(null);
  const last = useRef({ top: 0, height: 0 });
  const wheeledUpMs = useRef(-WHEEL_MS);
  const wanted = useRef<string | undefined>(undefined);
  const isFocusWanted = useRef(false);
  const anchor = useRef<Anchor | undefined>(undefined);

  const order = store.order.value;
  const drawn = isFollowing.value ? latestWindow(order) : clip(held.value, order);
  const session = store.panel.value?.sessionId;

  const toEnd = () => {
    const box = scroller.current;
    if (!box || !isFollowing.peek()) return;
    box.scrollTop = box.scrollHeight;
    last.current = { top: box.scrollTop, height: box.scrollHeight };
  };

  const pause = () => {
    if (!isFollowing.peek()) return;
    held.value = latestWindow(store.order.peek());
    isFollowing.value = false;
  };

  useEffect(() => {
    isFollowing.value = true;
  }, [session, isFollowing, store.jumpRequests.value]);

  useLayoutEffect(toEnd);

  useEffect(() => {
    const sizes = new ResizeObserver(toEnd);
    if (content.current) sizes.observe(content.current);
    if (scroller.current) sizes.observe(scroller.current);
    return () => sizes.disconnect();
  }, []);

  // Observed anew after each change: an edge that is still in sight would say nothing otherwise.
  useEffect(() => {
    const edges = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting) continue;
          if (entry.target === topEdge.current) void drawEarlier();
          else drawLater();
        }
      },
      { root: scroller.current, rootMargin: EDGE_MARGIN },
    );
    if (topEdge.current) edges.observe(topEdge.current);
    if (bottomEdge.current) edges.observe(bottomEdge.current);
    return () => edges.disconnect();
  }, [drawn.start, drawn.end, order.first, rowsEnd(order), isFollowing.value, session, store.hasMore.value]);

  async function drawEarlier(): Promise<void> {
    const now = store.order.peek();
    const current = isFollowing.peek() ? latestWindow(now) : held.peek();
    if (current.start > now.first) {
      // While it follows there is nothing to draw above: the person has not been there.
      if (isFollowing.peek()) return;
      keepPlace();
      held.value = earlierWindow(current, now);
      return;
    }
    if (!store.hasMore.peek()) return;
    await actions.loadOlder();
  }

  function drawLater(): void {
    const now = store.order.peek();
    if (isFollowing.peek() || held.peek().end >= rowsEnd(now)) return;
    keepPlace();
    held.value = laterWindow(held.peek(), now);
  }

  function keepPlace(): void {
    anchor.current = firstInView(scroller.current);
  }

  useLayoutEffect(() => {
    const box = scroller.current;
    const { current: kept } = anchor;
    anchor.current = undefined;
    if (!box || !kept?.row.isConnected) return;
    const moved = kept.row.getBoundingClientRect().top - kept.top;
    if (moved !== 0) box.scrollTop += moved;
    last.current = { top: box.scrollTop, height: box.scrollHeight };
  });

  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = content.current?.querySelector(`[data-row="${CSS.escape(wanted.current)}"]`);
    wanted.current = undefined;
    row?.scrollIntoView({ block: 'center' });
    if (isFocusWanted.current) row?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
    isFocusWanted.current = false;
  });

  const showRow = (id: string) => {
    const around = windowAround(id, store.order.peek());
    if (!around) return;
    pause();
    wanted.current = id;
    held.value = { ...around };
  };

  const reveal = async (row: string): Promise<void> => {
    if (!(await actions.loadBackTo(row))) {
      store.tellForNow('This is no part of the conversation any more: it was rewound.');
      return;
    }
    isFocusWanted.current = true;
    showRow(row);
  };

  const { value: revealed } = store.revealed;
  useEffect(() => {
    if (revealed) void reveal(revealed.row);
  }, [revealed]);

  return {
    ids: idsIn(drawn, order),
    isFollowing,
    scroller,
    content,
    topEdge,
    bottomEdge,
    onScroll: () => {
      const box = scroller.current;
      if (!box) return;
      const { scrollTop: top, scrollHeight: height, clientHeight } = box;
      const isAtEnd = height - top - clientHeight <= AT_END_PX;
      const moved = top - last.current.top;
      const isShorter = height < last.current.height;
      last.current = { top, height };
      // Also a small turn: a text that grows would bring the page back to its end at once.
      const byWheel = performance.now() - wheeledUpMs.current < WHEEL_MS;
      if (moved < 0 && (byWheel || (!isAtEnd && !isShorter))) return pause();
      const isWholeDrawn = held.peek().end >= rowsEnd(store.order.peek());
      if (moved > 0 && isAtEnd && isWholeDrawn) isFollowing.value = true;
    },
    onWheel: ({ deltaY, timeStamp }) => {
      if (deltaY < 0) wheeledUpMs.current = timeStamp;
    },
    jumpToLatest: () => {
      isFollowing.value = true;
      toEnd();
    },
    showRow,
  };
}

/** A row, and where it stood on the screen before others came or went. */
interface Anchor {
  readonly row: Element;
  readonly top: number;
}

function firstInView(box: HTMLElement | null): Anchor | undefined {
  if (!box) return undefined;
  const edge = box.getBoundingClientRect().top;
  for (const row of box.querySelectorAll('[data-row]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { row, top };
  }
  return undefined;
}

function clip({ start, end }: RowWindow, order: RowOrder): RowWindow {
  return { start: Math.max(order.first, start), end: Math.min(rowsEnd(order), end) };
}
