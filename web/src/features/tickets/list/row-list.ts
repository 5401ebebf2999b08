import type { TicketSummary } from '@tandem/contracts';
import type { Ref } from 'react';
import { onSignOut } from '../../../lib/session-cleanup';
import type { GroupHeading } from './group-rows';

/** Keyboard navigation in the list. */
export interface RowsHandle {
  /** Moves the focus to the next or previous row and returns its id. */
  step: (by: 1 | -1, from: string | undefined) => string | undefined;
  focus: (id: string) => void;
  toTop: () => void;
}

/** How a row is arranged: by the user's density, or by the space next to an open ticket and on a narrow screen. */
export type RowLayout = 'comfortable' | 'compact' | 'beside' | 'card';

export interface TicketCardProps {
  ticket: TicketSummary;
  /** The list's filters, kept in the ticket's URL so that the back link leads to the same list. */
  search: string;
  isOpen: boolean;
  layout: RowLayout;
  isSelected: boolean;
  /** While rows are selected, every row shows its checkbox. */
  isSelecting: boolean;
  onSelect: (id: string, range: boolean) => void;
}

export interface TicketRowsProps {
  ref: Ref<RowsHandle>;
  /** The scrolling element. */
  box: HTMLDivElement;
  tickets: readonly TicketSummary[];
  /** The heading of each group, by the id of its first ticket; empty if the list is not grouped. */
  headings: ReadonlyMap<string, GroupHeading>;
  /** Whether all pages are loaded. */
  isWhole: boolean;
  /** Identifies the list: each has its own saved scroll position. */
  listKey: string;
  /** The total, including rows that are not loaded; undefined if not exactly known. */
  total: number | undefined;
  openId: string | undefined;
  layout: RowLayout;
  /** Whether the list is scrolled: new rows above must then not move the visible ones. */
  isScrolled: boolean;
  search: string;
  isSelected: (id: string) => boolean;
  isSelecting: boolean;
  onSelect: (id: string, range: boolean) => void;
}

export interface ScrollPosition {
  offset: number;
  heights: Map<string, number>;
}
/** The scroll position and row heights of each list, to restore it exactly. */
export const savedPositions = new Map<string, ScrollPosition>();
onSignOut({ drop: () => savedPositions.clear() });
export const positionKey = (listKey: string, layout: RowLayout): string => `${layout} ${listKey}`;

/** Focuses the row; returns whether it is rendered. */
export function focusRow(box: HTMLElement, id: string): boolean {
  const link = box.querySelector<HTMLElement>(`[data-ticket="${CSS.escape(id)}"]`);
  link?.focus({ preventScroll: true });
  return link !== null;
}

/**
 * The position to step to. If the last focused row is no longer in the list, for example because it was resolved, steps start at its last
 * position (`lastAt`, -1 if there is none), not at the top.
 */
export function stepFrom(tickets: readonly TicketSummary[], from: string | undefined, by: 1 | -1, lastAt: number): number {
  const at = tickets.findIndex(({ id }) => id === from);
  const start = at >= 0 || lastAt < 0 ? at : by === 1 ? lastAt - 1 : lastAt;
  return Math.min(Math.max(start + by, 0), tickets.length - 1);
}

/** The position of the row that has the focus. */
export const positionIn = (tickets: readonly TicketSummary[], row: Element): number => {
  const id = row.closest<HTMLElement>('[data-row]')?.dataset.row;
  return tickets.findIndex((ticket) => ticket.id === id);
};
