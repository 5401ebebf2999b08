import { createContext, use, useEffect, useMemo, useRef, type MouseEvent } from 'react';
import { useStore } from 'react-redux';
import type { TicketSummary } from '@tandem/contracts';
import type { TicketStatus } from '@tandem/contracts/values';
import type { AppStore } from '../../../app/store';
import { isStepping } from '../../../lib/keyboard';
import { loadedPage, openTicket } from '../detail/ticket-page.api';
import { useMarkTicketReadMutation, useMarkTicketUnreadMutation } from '../read/read.api';
import { endOf } from '../read/use-ticket-read';
import { setStatus } from '../set-status';

/** Longer than a pointer rests on a row while it only crosses the list. */
export const hoverMs = 150;
/** How long a click waits for its ticket: drawing a placeholder first would delay the ticket by the time that this takes. */
const patienceMs = 100;

/** The actions of a row. The list provides them, so that rows that scroll into view add no subscriptions. */
export interface RowActions {
  open: (id: string) => void;
  /** Loads the ticket's page before it is opened, unless the pointer goes to another row within `delayMs`. */
  load: (id: string, delayMs: number) => void;
  /** Handles a click on the ticket's link: opens the ticket when it is loaded, or after a moment without it. */
  follow: (click: MouseEvent, id: string) => void;
  setStatus: (id: string, status: TicketStatus) => void;
  setUnread: (ticket: TicketSummary, isUnread: boolean) => void;
  /** Opens the choices. */
  snooze: (ticket: TicketSummary) => void;
}

export const RowActionsContext = createContext<RowActions>({
  open: () => undefined,
  load: () => undefined,
  follow: () => undefined,
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
  const followed = useRef<MouseEvent>(undefined);
  useEffect(() => () => clearTimeout(hovering.current), []);
  return useMemo(
    () => ({
      open,
      load: (id, delayMs) => {
        clearTimeout(hovering.current);
        const load = () => {
          if (!isStepping() && !loadedPage(store.getState(), id)) void openTicket(store.dispatch, id);
        };
        if (delayMs === 0) load();
        else hovering.current = setTimeout(load, delayMs);
      },
      follow: (click, id) => {
        const isForBrowser = click.metaKey || click.ctrlKey || click.shiftKey || click.altKey;
        if (isForBrowser || loadedPage(store.getState(), id)) return;
        const loaded = openTicket(store.dispatch, id);
        // With the keyboard, the next key may follow at any time, and is for the ticket.
        if (click.detail === 0) return;
        click.preventDefault();
        const { href } = location;
        followed.current = click;
        const moment = new Promise((resolve) => setTimeout(resolve, patienceMs));
        void Promise.race([loaded, moment]).then(() => {
          // Unless the user has gone elsewhere since.
          if (followed.current === click && location.href === href) open(id);
        });
      },
      setStatus: (id, status) => void store.dispatch(setStatus(id, status)),
      setUnread: (ticket, isUnread) => void (isUnread ? markUnread(ticket.id) : markRead({ id: ticket.id, until: endOf(ticket) })),
      snooze,
    }),
    [open, snooze, store, markRead, markUnread],
  );
}
