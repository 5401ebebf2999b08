import { createContext, use, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'react-redux';
import type { TicketSummary } from '@tandem/contracts';
import type { TicketStatus } from '@tandem/contracts/values';
import type { AppStore } from '../../../app/store';
import { isStepping } from '../../../lib/keyboard';
import { isCached, openTicket } from '../detail/ticket-page.api';
import { useMarkTicketReadMutation, useMarkTicketUnreadMutation } from '../read/read.api';
import { endOf } from '../read/use-ticket-read';
import { setStatus } from '../set-status';

/** Longer than a pointer rests on a row while it only crosses the list. */
const hoverMs = 150;

/** The actions of a row. The list provides them, so that rows that scroll into view add no subscriptions. */
export interface RowActions {
  open: (id: string) => void;
  /** Loads the ticket's page before it is opened, when the pointer stays on the row. */
  prefetch: (id: string) => void;
  setStatus: (id: string, status: TicketStatus) => void;
  setUnread: (ticket: TicketSummary, isUnread: boolean) => void;
  /** Opens the choices. */
  snooze: (ticket: TicketSummary) => void;
}

export const RowActionsContext = createContext<RowActions>({
  open: () => undefined,
  prefetch: () => undefined,
  setStatus: () => undefined,
  setUnread: () => undefined,
  snooze: () => undefined,
});
export const useRowActions = (): RowActions => use(RowActionsContext);

/** The list's actions. Memoized while the list's URL is the same, because a new object would render every row again. */
export function useListRowActions(open: (id: string) => void, snooze: RowActions['snooze']): RowActions {
  const store = useStore() as AppStore;
  const [markRead] = useMarkTicketReadMutation();
  const [markUnread] = useMarkTicketUnreadMutation();
  const hovering = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(hovering.current), []);
  return useMemo(
    () => ({
      open,
      prefetch: (id) => {
        clearTimeout(hovering.current);
        hovering.current = setTimeout(() => {
          if (!isStepping() && !isCached(store.getState(), id)) void openTicket(store.dispatch, id);
        }, hoverMs);
      },
      setStatus: (id, status) => void store.dispatch(setStatus(id, status)),
      setUnread: (ticket, isUnread) => void (isUnread ? markUnread(ticket.id) : markRead({ id: ticket.id, until: endOf(ticket) })),
      snooze,
    }),
    [open, snooze, store, markRead, markUnread],
  );
}
