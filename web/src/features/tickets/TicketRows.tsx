import type { TicketSummary } from '@tandem/contracts';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { TicketCard } from './TicketCard';

/** What the keyboard moves in the list. */
export interface RowsHandle {
  /** To the next or the previous row; answers where that is. */
  step: (by: 1 | -1, from: string | undefined) => string | undefined;
  focus: (id: string) => void;
  toTop: () => void;
}

interface TicketRowsProps {
  ref: Ref<RowsHandle>;
  /** What scrolls. */
  box: HTMLDivElement;
  tickets: readonly TicketSummary[];
  /** Names the list: each has its own place to come back to. */
  listKey: string;
  /** How many there are beyond what is loaded; undefined when nobody knows exactly. */
  total: number | undefined;
  openId: string | undefined;
  narrow: boolean;
  /** Rows that come in above must not move what is being read. */
  isScrolled: boolean;
  search: string;
  isSelected: (id: string) => boolean;
  isSelecting: boolean;
  onSelect: (id: string, range: boolean) => void;
}

/** Where each list was left and how high its rows were, to come back to the very same place. */
const places = new Map<string, { offset: number; heights: Map<string, number> }>();
const guessedHeight = { narrow: 112, wide: 77 };
const around = 6;

/** Only the rows in view are in the page, however long the list is, and the one that has the focus. */
export function TicketRows(props: TicketRowsProps) {
  const { ref, box, tickets, listKey, total, openId, narrow, isScrolled, search, isSelected, isSelecting, onSelect } = props;
  const [activeId, setActiveId] = useState<string>();
  const placeKey = `${narrow ? 'narrow' : 'wide'} ${listKey}`;
  const [place] = useState(() => places.get(placeKey));
  const activeIndex = activeId === undefined ? -1 : tickets.findIndex(({ id }) => id === activeId);
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions stay in this component
  const rows = useVirtualizer({
    count: tickets.length,
    getScrollElement: () => box,
    estimateSize: (index) => place?.heights.get(tickets[index]?.id ?? '') ?? guessedHeight[narrow ? 'narrow' : 'wide'],
    getItemKey: (index) => tickets[index]?.id ?? index,
    overscan: around,
    anchorTo: isScrolled ? 'end' : 'start',
    initialOffset: place?.offset ?? 0,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      if (activeIndex < 0 || shown.includes(activeIndex)) return shown;
      return activeIndex < range.startIndex ? [activeIndex, ...shown] : [...shown, activeIndex];
    },
  });

  useLayoutEffect(() => {
    if (place) box.scrollTop = place.offset;
  }, [place, box]);
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  });
  useEffect(
    () => () => {
      const { scrollOffset, itemSizeCache } = latest.current;
      places.set(placeKey, { offset: scrollOffset ?? 0, heights: new Map(itemSizeCache) as Map<string, number> });
    },
    [placeKey],
  );
  // The open ticket stays in view where the list has just become narrower.
  useLayoutEffect(() => {
    const index = tickets.findIndex(({ id }) => id === openId);
    if (index >= 0) latest.current.scrollToIndex(index, { align: 'auto' });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when a ticket opens or closes, not when rows come in
  }, [openId]);

  const take = (id: string) => {
    const link = box.querySelector<HTMLElement>(`[data-ticket="${CSS.escape(id)}"]`);
    link?.focus({ preventScroll: true });
    return link !== null;
  };
  // A row takes the focus once it is in the page: after the next drawing, where it is not there yet.
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current !== undefined && take(wanted.current)) wanted.current = undefined;
  });
  useImperativeHandle(ref, () => ({
    step: (by, from) => {
      const at = tickets.findIndex(({ id }) => id === from);
      const next = tickets[Math.min(Math.max(at + by, 0), tickets.length - 1)];
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

  return (
    <ul
      className="relative"
      style={{ height: rows.getTotalSize() }}
      onFocus={(event) => setActiveId(event.target.closest<HTMLElement>('[data-row]')?.dataset.row)}
    >
      {rows.getVirtualItems().map(({ index, start, key }) => {
        const ticket = tickets[index];
        if (!ticket) return null;
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            data-row={ticket.id}
            aria-setsize={total ?? -1}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            <TicketCard
              ticket={ticket}
              search={search}
              isOpen={ticket.id === openId}
              narrow={narrow}
              isSelected={isSelected(ticket.id)}
              isSelecting={isSelecting}
              onSelect={onSelect}
            />
          </li>
        );
      })}
    </ul>
  );
}
