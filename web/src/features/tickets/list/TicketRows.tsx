import { defaultRangeExtractor, useVirtualizer, type Range, type Virtualizer } from '@tanstack/react-virtual';
import type { TicketSummary } from '@tandem/contracts';
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { positionKey, savedPositions, focusRow, positionIn, stepFrom, type ScrollPosition, type TicketRowsProps } from './row-list';
import { GroupTitle } from './GroupTitle';
import { TicketCard } from './TicketCard';

/** In pixels. Only a card's height depends on its text. */
const rowHeights = { comfortable: 64, compact: 40, beside: 56, card: 112 };
const groupTitleHeight = 32;
/** Lists up to this length are rendered whole, so that the browser finds text in them and prints them. */
const wholeUpTo = 60;
const around = 6;

type Rows = Virtualizer<HTMLDivElement, Element>;

/** Restores the scroll position, saves it when the rows are removed, and keeps the open ticket in view. */
function useKeptPosition(
  rows: Rows,
  { box, tickets, listKey, openId, layout }: TicketRowsProps,
  position: ScrollPosition | undefined,
): void {
  const listPositionKey = positionKey(listKey, layout);
  useLayoutEffect(() => {
    if (position) box.scrollTo(0, position.offset);
  }, [position, box]);
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  });
  useLayoutEffect(
    () => () => {
      const { scrollOffset, itemSizeCache } = latest.current;
      savedPositions.set(listPositionKey, { offset: scrollOffset ?? 0, heights: new Map(itemSizeCache) as Map<string, number> });
    },
    [listPositionKey],
  );
  const isOpenHere = tickets.some(({ id }) => id === openId);
  // Keeps the open ticket in view when the layout of the rows has just changed, and scrolls to it when its row loads late.
  useLayoutEffect(() => {
    const index = tickets.findIndex(({ id }) => id === openId);
    if (index >= 0) latest.current.scrollToIndex(index, { align: 'auto' });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- not when other rows come in
  }, [openId, isOpenHere, listPositionKey]);
}

/**
 * Keeps the first visible row of a grouped list in place when rows are added to the groups above it. Without groups, the virtualizer does
 * that.
 */
function useRowInPlace(rows: Rows, { box, tickets, headings, isScrolled }: TicketRowsProps): void {
  const before = useRef<{ key: string; start: number; end: number }[]>([]);
  useLayoutEffect(() => {
    const first = before.current.find(({ end }) => end > box.scrollTop);
    const index = first ? tickets.findIndex(({ id }) => id === first.key) : -1;
    const start = rows.measurementsCache[index]?.start;
    if (first && start !== undefined && start !== first.start && headings.size > 0 && isScrolled)
      rows.scrollToOffset(box.scrollTop + start - first.start);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the rows have changed
  }, [tickets]);
  useLayoutEffect(() => {
    before.current = rows.getVirtualItems().map(({ key, start, end }) => ({ key: String(key), start, end }));
  });
}

/** The functions by which the list moves the focus. `lastAt` is the position of the row that had the focus last. */
function useRowsHandle(
  rows: Rows,
  { ref, box, tickets }: TicketRowsProps,
  lastAt: RefObject<number>,
  setActiveId: (id: string) => void,
): void {
  const take = (id: string) => focusRow(box, id);
  // Focuses a row once it is rendered, which may take until the next render.
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current !== undefined && take(wanted.current)) wanted.current = undefined;
  });
  useImperativeHandle(ref, () => ({
    step: (by, from) => {
      const next = tickets[stepFrom(tickets, from, by, lastAt.current)];
      if (!next) return undefined;
      flushSync(() => setActiveId(next.id));
      rows.scrollToIndex(tickets.indexOf(next), { align: 'auto' });
      take(next.id);
      return next.id;
    },
    focus: (id) => {
      wanted.current = id;
      setActiveId(id);
    },
    toTop: () => rows.scrollToOffset(0),
  }));
}

interface RowProps extends TicketRowsProps {
  ticket: TicketSummary;
  index: number;
  start: number;
  measure: (element: Element | null) => void;
}
function Row({
  ticket,
  headings,
  isWhole,
  index,
  start,
  measure,
  total,
  search,
  openId,
  layout,
  isSelected,
  isSelecting,
  onSelect,
}: RowProps) {
  return (
    <li
      ref={measure}
      data-index={index}
      data-row={ticket.id}
      aria-setsize={total ?? -1}
      aria-posinset={index + 1}
      // Containment: a change in one row does not lay out or paint its neighbors again.
      className="absolute inset-x-0 top-0 [contain:layout_paint_style]"
      style={{ transform: `translateY(${start}px)` }}
    >
      <GroupTitle heading={headings.get(ticket.id)} isWhole={isWhole} />
      <TicketCard
        ticket={ticket}
        search={search}
        isOpen={ticket.id === openId}
        layout={layout}
        isSelected={isSelected(ticket.id)}
        isSelecting={isSelecting}
        onSelect={onSelect}
      />
    </li>
  );
}

/** The rows of a list; of a long one, only the visible rows and the focused one. */
export function TicketRows(props: TicketRowsProps) {
  const { box, tickets, headings, listKey, layout, isScrolled } = props;
  const listPositionKey = positionKey(listKey, layout);
  const [position] = useState(() => savedPositions.get(listPositionKey));
  const [activeId, setActiveId] = useState<string>();
  const lastAt = useRef(-1);
  const activeIndex = useMemo(() => (activeId === undefined ? -1 : tickets.findIndex(({ id }) => id === activeId)), [tickets, activeId]);
  // Memoized because measured heights are cached per key function: a new one would measure ten thousand rows again on every frame.
  const keyOf = useCallback((index: number) => tickets[index]?.id ?? index, [tickets]);
  const heightOf = useCallback(
    (index: number) => {
      const id = tickets[index]?.id ?? '';
      return position?.heights.get(id) ?? rowHeights[layout] + (headings.has(id) ? groupTitleHeight : 0);
    },
    [position, tickets, headings, layout],
  );
  const withActive = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      if (activeIndex < 0 || shown.includes(activeIndex)) return shown;
      return activeIndex < range.startIndex ? [activeIndex, ...shown] : [...shown, activeIndex];
    },
    [activeIndex],
  );
  // oxlint-disable-next-line react-hooks/incompatible-library -- its functions stay in this module
  const rows = useVirtualizer({
    count: tickets.length,
    getScrollElement: () => box,
    estimateSize: heightOf,
    getItemKey: keyOf,
    overscan: tickets.length > wholeUpTo ? around : wholeUpTo,
    anchorTo: isScrolled && headings.size === 0 ? 'end' : 'start',
    initialOffset: position?.offset ?? 0,
    rangeExtractor: withActive,
  });

  useKeptPosition(rows, props, position);
  useRowInPlace(rows, props);
  useRowsHandle(rows, props, lastAt, setActiveId);

  return (
    <ul
      className="relative"
      style={{ height: rows.getTotalSize() }}
      onFocus={({ target }) => {
        lastAt.current = positionIn(tickets, target);
        setActiveId(tickets[lastAt.current]?.id);
      }}
    >
      {rows.getVirtualItems().map(({ index, start, key }) => {
        const ticket = tickets[index];
        if (!ticket) return null;
        return <Row key={key} {...props} ticket={ticket} index={index} start={start} measure={rows.measureElement} />;
      })}
    </ul>
  );
}
