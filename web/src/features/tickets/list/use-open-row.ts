import type { TicketSummary } from '@tandem/contracts';
import { useEffect, useRef } from 'react';

/**
 * After a reload only the first page of the list is loaded, and the open ticket may be on the second. Loads the second page, once: a ticket
 * excluded by the filters is on no page, and the list must not load all of them.
 */
export function useOpenRow(openId: string | undefined, tickets: readonly TicketSummary[], loadMore: () => unknown): void {
  const load = useRef(loadMore);
  const hasLoaded = useRef(false);
  const isMissing = openId !== undefined && tickets.length > 0 && !tickets.some(({ id }) => id === openId);
  useEffect(() => {
    load.current = loadMore;
  });
  useEffect(() => {
    if (!isMissing || hasLoaded.current) return;
    hasLoaded.current = true;
    load.current();
  }, [isMissing]);
}
