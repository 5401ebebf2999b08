import { createContext, use, useMemo } from 'react';
import type { TicketStatus } from '@tandem/contracts/values';
import { usePrefetchTicket, useUpdateTicketMutation } from './tickets.api';
import { reportStatus } from './use-ticket-change';

/** What a row can have done: given by the list, so that a row that scrolls into view brings no subscriptions of its own. */
export interface RowActions {
  open: (id: string) => void;
  /** The ticket and its conversation, before it is opened. */
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
  const prefetchTicket = usePrefetchTicket('readTicket', { ifOlderThan: 30 });
  const prefetchComments = usePrefetchTicket('listComments', { ifOlderThan: 30 });
  const [update] = useUpdateTicketMutation();
  return useMemo(
    () => ({
      open,
      prefetch: (id) => {
        prefetchTicket(id);
        prefetchComments(id);
      },
      setStatus: (id, status) => void update({ id, changes: { status } }).then(({ error }) => reportStatus(error)),
    }),
    [open, prefetchTicket, prefetchComments, update],
  );
}
