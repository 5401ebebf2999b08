import type { Draft, TicketPagePart } from '@tandem/contracts';
import { createContext, use, useCallback, useEffect } from 'react';
import { lastReplyDraftedAt, onReplyDrafted } from '../../lib/ticket-changes';

/** The ticket whose page is shown. */
export interface OpenTicket {
  /** The page has loaded, or was fully cached: from now on each part refreshes independently. */
  isLoaded: boolean;
  unavailable: readonly TicketPagePart[];
  /** The server's response, or only the time if the page came from the cache. */
  answer: { draft?: Draft | null; requested_at?: number };
  /** Lets the query of one part send its own request. */
  retry: (part: TicketPagePart) => void;
}
const allThere: OpenTicket = { isLoaded: true, unavailable: [], answer: {}, retry: () => undefined };
export const OpenTicketContext = createContext(allThere);
export const useOpenTicket = (): OpenTicket => use(OpenTicketContext);

/** Whether the page response lacked this part, so that its query must wait for `retry`. */
export function useTicketPart(part: TicketPagePart): { isMissing: boolean; retry: () => void } {
  const { unavailable, retry } = useOpenTicket();
  return { isMissing: unavailable.includes(part), retry: useCallback(() => retry(part), [retry, part]) };
}

/** Runs `reload` when a token has drafted a reply, also if that was after the page was requested and before its part was rendered. */
export function useReplyDrafted(ticket_id: string, reload: () => unknown): void {
  const { requested_at } = useOpenTicket().answer;
  useEffect(() => {
    if (requested_at !== undefined && lastReplyDraftedAt() >= requested_at) reload();
  }, [requested_at, reload]);
  useEffect(() => onReplyDrafted((id) => id === ticket_id && reload()), [ticket_id, reload]);
}
