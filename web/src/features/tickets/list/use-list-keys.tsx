import type { TicketSummary } from '@tandem/contracts';
import type { ListDensity } from '@tandem/contracts/values';
import { lazy, Suspense, useState, type ReactNode, type RefObject } from 'react';
import { useHotkeys } from '../../../lib/keyboard';
import type { RowPick } from './RowPicker';
import type { RowActions } from './row-actions';
import type { ChoosePreferences } from './list-preferences';
import type { RowsHandle } from './row-list';
import type { Selection } from './use-selection';

const RowPicker = lazy(() => import('./RowPicker').then((module) => ({ default: module.RowPicker })));

interface ListKeys {
  tickets: readonly TicketSummary[];
  openId: string | undefined;
  rows: RefObject<RowsHandle | null>;
  selection: Selection;
  open: (id: string, replace?: boolean) => void;
  actions: RowActions;
  isOff: boolean;
  density: ListDensity;
  choose: ChoosePreferences;
}

/** The row that contains the focus, on its link, checkbox or menu. */
const focusedId = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;

/**
 * The keyboard shortcuts of the list: j and k, o and Enter, x, v; and e, s, p, a, u and h on the focused row, unless an open ticket handles them.
 * Returns the picker that s, p and a open.
 */
export function useListKeys({
  tickets,
  openId,
  rows,
  selection,
  open,
  actions,
  isOff,
  density,
  choose: choosePreferences,
}: ListKeys): ReactNode {
  const [pick, setPick] = useState<{ what: RowPick; ticket: TicketSummary }>();
  const focused = () => tickets.find(({ id }) => id === focusedId());
  const step = (by: 1 | -1) => () => {
    const next = rows.current?.step(by, openId ?? focusedId());
    if (openId && next && next !== openId) open(next, true);
  };
  const openFocused = () => {
    const ticket = focused();
    if (ticket) open(ticket.id);
  };
  const choose = (what: RowPick) => () => {
    const ticket = focused();
    if (ticket) setPick({ what, ticket });
  };
  const resolve = () => {
    const ticket = focused();
    if (ticket && ticket.status !== 'resolved') actions.setStatus(ticket.id, 'resolved');
  };
  const toggleUnread = () => {
    const ticket = focused();
    if (ticket) actions.setUnread(ticket, !ticket.is_unread);
  };
  const snooze = () => {
    const ticket = focused();
    if (ticket) actions.snooze(ticket);
  };
  const select = () => {
    const id = focusedId();
    if (id) selection.toggle(id);
  };
  const switchDensity = () => choosePreferences({ density: density === 'compact' ? 'comfortable' : 'compact' });
  const always = { v: switchDensity, j: step(1), k: step(-1), o: openFocused, Enter: openFocused, x: select };
  const onRow = { e: resolve, s: choose('status'), p: choose('priority'), a: choose('assignee'), u: toggleUnread, h: snooze };
  const some = selection.ids.length > 0 ? { Escape: selection.clear } : {};
  useHotkeys(isOff ? {} : { ...always, ...(openId ? {} : onRow), ...some });
  if (!pick) return null;
  return (
    <Suspense fallback={null}>
      <RowPicker what={pick.what} ticket={pick.ticket} onClose={() => setPick(undefined)} />
    </Suspense>
  );
}
