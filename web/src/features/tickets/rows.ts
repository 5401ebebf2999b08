import type { TicketSummary } from '@tandem/contracts';
import type { Ref } from 'react';

/** What the keyboard moves in the list. */
export interface RowsHandle {
  /** To the next or the previous row; answers where that is. */
  step: (by: 1 | -1, from: string | undefined) => string | undefined;
  focus: (id: string) => void;
  toTop: () => void;
}

export interface TicketRowsProps {
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

export interface Place {
  offset: number;
  heights: Map<string, number>;
  /** The row that has the focus, where rows follow others that are still there. */
  focused?: string | undefined;
}
/** Where each list was left and how high its rows were, to come back to the very same place. */
export const places = new Map<string, Place>();
export const placeKeyOf = (listKey: string, narrow: boolean): string => `${narrow ? 'narrow' : 'wide'} ${listKey}`;

/** Answers whether the row is in the page to take the focus. */
export function takeFocus(box: HTMLElement, id: string): boolean {
  const link = box.querySelector<HTMLElement>(`[data-ticket="${CSS.escape(id)}"]`);
  link?.focus({ preventScroll: true });
  return link !== null;
}

/** Where the rows that are in the page stand. */
export function placeNow(box: HTMLElement): Place | undefined {
  const rows = [...box.querySelectorAll<HTMLElement>('[data-row]')];
  if (rows.length === 0) return undefined;
  const heights = new Map(rows.map((row) => [row.dataset.row ?? '', row.offsetHeight]));
  return { offset: box.scrollTop, heights, focused: document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row };
}
