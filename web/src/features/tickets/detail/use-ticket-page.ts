import type { Ticket, TicketPagePart } from '@tandem/contracts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'react-redux';
import type { AppStore } from '../../../app/store';
import { whenStepReleased } from '../../../lib/keyboard';
import type { OpenTicket } from '../open-ticket';
import { loadedPage, openTicket, type OpenedTicket } from './ticket-page.api';
import { ticketsApi } from '../tickets.api';

/** Delay before a ticket reached with `j` or `k` is requested, so that tickets passed on the way are not. While the key is held, none is. */
export const dwellMs = 250;

interface Opened extends Partial<OpenedTicket> {
  id: string;
  error?: unknown;
}

/** Loads the page of a ticket in one call after `delayMs`; cached data is available immediately. */
export function useTicketPage(id: string, delayMs: number): { ticket: Ticket | undefined; error: unknown; page: OpenTicket } {
  const store = useStore() as AppStore;
  const [answer, setAnswer] = useState<Opened>();
  const opened = answer?.id === id ? answer : undefined;
  const isLoaded = opened !== undefined;
  const { data: ticket, error } = ticketsApi.endpoints.readTicket.useQueryState(id, {
    selectFromResult: ({ data, error }) => ({ data, error }),
  });
  // If an event has removed the ticket from the cache since it was loaded, this loads it again.
  ticketsApi.endpoints.readTicket.useQuerySubscription(id, { skip: !isLoaded || (opened.error !== undefined && !ticket) });

  useEffect(() => {
    let hasLeft = false;
    const load = async () => {
      const loaded = loadedPage(store.getState(), id);
      if (loaded) return setAnswer({ id, ...loaded });
      const { data, error: refusal } = await openTicket(store.dispatch, id);
      if (!hasLeft) setAnswer({ id, ...data, error: refusal });
    };
    let cancel: (() => void) | undefined;
    const timer = delayMs > 0 ? setTimeout(() => (cancel = whenStepReleased(() => void load())), delayMs) : void load();
    return () => {
      hasLeft = true;
      clearTimeout(timer ?? undefined);
      cancel?.();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the delay depends on how the user came here; a change must not load again
  }, [id, store]);

  const retry = useCallback(
    (part: TicketPagePart) =>
      setAnswer((before) => before && { ...before, unavailable: before.unavailable?.filter((each) => each !== part) ?? [] }),
    [],
  );
  const page = useMemo(
    (): OpenTicket => ({ isLoaded, unavailable: opened?.unavailable ?? [], answer: opened ?? {}, retry }),
    [isLoaded, opened, retry],
  );
  return { ticket, error: opened?.error ?? (isLoaded ? error : undefined), page };
}
