import { createContext, use, useMemo, useRef } from 'react';
import { useStore } from 'react-redux';
import type { TicketStatus } from '@tandem/contracts/values';
import type { AppStore } from '../../app/store';
import { isCached, openTicket } from './ticket-page.api';
import { useUpdateTicketMutation } from './tickets.api';
import { reportStatus } from './use-ticket-change';

/** A pointer that crosses the list rests on no row this long. */
const hoverMs = 150;

/** What a row can have done: given by the list, so that a row that scrolls into view brings no subscriptions of its own. */
export interface RowActions {
  open: (id: string) => void;
  /** Loads the ticket's page before it is opened, where the pointer stays on the row. */
  prefetch: (id: string) => void;
  setStatus: (id: string, status: TicketStatus) => void;
}

export const RowActionsContext = createContext<RowActions>({
  open: () => undefined,
  prefetch: () => undefined,
  setStatus: () => undefined,
});
export const useRowActions = (): RowActions => use(RowActionsContext);

/** For the list: the same object as long as the list's address is the same, or every row would be drawn anew. */
export function useListRowActions(open: (id: string) => void): RowActions {
  const store = useStore() as AppStore;
  const [update] = useUpdateTicketMutation();
  const hovering = useRef<ReturnType<typeof setTimeout>>(undefined);
  return useMemo(
    () => ({
      open,
      prefetch: (id) => {
        clearTimeout(hovering.current);
        hovering.current = setTimeout(() => {
          if (!isCached(store.getState(), id)) void openTicket(store.dispatch, id);
        }, hoverMs);
      },
      setStatus: (id, status) => void update({ id, changes: { status } }).then(({ error }) => reportStatus(error)),
    }),
    [open, store, update],
  );
}
