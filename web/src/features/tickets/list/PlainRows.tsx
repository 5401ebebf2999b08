import { useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { positionKey, scrollPosition, savedPositions, focusRow, positionIn, stepFrom, type TicketRowsProps } from './row-list';
import { GroupTitle } from './GroupTitle';
import { TicketCard } from './TicketCard';

/** The rows of a short list. All of them are rendered, and the code for long lists is not loaded. */
export function PlainRows({
  ref,
  box,
  tickets,
  headings,
  isWhole,
  listKey,
  total,
  openId,
  layout,
  search,
  isSelected,
  isSelecting,
  onSelect,
}: TicketRowsProps) {
  const listPositionKey = positionKey(listKey, layout);
  const isOpenHere = tickets.some(({ id }) => id === openId);
  useLayoutEffect(() => {
    const position = savedPositions.get(listPositionKey);
    if (position) box.scrollTo(0, position.offset);
    // Saved before the rows are removed, so that the list returns to the same position.
    return () => {
      const { offset, heights } = scrollPosition(box) ?? { offset: 0, heights: new Map<string, number>() };
      savedPositions.set(listPositionKey, { offset, heights });
    };
  }, [box, listPositionKey]);
  // Runs after a saved position is restored, which could move the open ticket out of view, and when its row loads late.
  useLayoutEffect(() => {
    if (openId && isOpenHere) box.querySelector(`[data-row="${CSS.escape(openId)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [box, openId, isOpenHere, listPositionKey]);
  const lastAt = useRef(-1);
  useImperativeHandle(ref, () => ({
    step: (by, from) => {
      const next = tickets[stepFrom(tickets, from, by, lastAt.current)];
      if (!next || !focusRow(box, next.id)) return undefined;
      document.activeElement?.closest('li')?.scrollIntoView({ block: 'nearest' });
      return next.id;
    },
    focus: (id) => void focusRow(box, id),
    toTop: () => box.scrollTo(0, 0),
  }));
  return (
    <ul onFocus={(event) => (lastAt.current = positionIn(tickets, event.target))}>
      {tickets.map((ticket, index) => (
        <li key={ticket.id} data-row={ticket.id} aria-setsize={total ?? -1} aria-posinset={index + 1}>
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
      ))}
    </ul>
  );
}
