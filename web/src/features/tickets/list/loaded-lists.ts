import type { BulkResult, Ticket, TicketSummary } from '@tandem/contracts';
import type { AppDispatch } from '../../../app/store';
import { publishTicketChange } from '../../../lib/ticket-changes';

export interface Cache {
  dispatch: AppDispatch;
  getState: () => unknown;
}
export type RowChange = Partial<TicketSummary>;
/** The result of a change for one ticket; without a ticket the change was refused. */
export interface Answered {
  id: string;
  ticket: Ticket | BulkResult['ticket'];
}

/** The effects of a ticket's change on the lists. */
interface LoadedLists {
  /** The rows of tickets in all loaded lists, by id. */
  findRows: (cache: Cache, ids: Iterable<string>) => Map<string, TicketSummary>;
  /** Shows a change in all lists immediately. The server's response then replaces it, and refused changes are reverted. */
  showInLists: (
    cache: Cache,
    ids: readonly string[],
    shown: (ticket: TicketSummary) => RowChange,
    sent: Promise<readonly Answered[]>,
  ) => Promise<void>;
  /** Shows in all lists whether the user has read a ticket. */
  showUnread: (cache: Cache, id: string, isUnread: boolean) => void;
}

/**
 * A ticket that is opened by its own URL loads no code of the lists. `ticket-list.api.ts` sets these functions when it is loaded; until then
 * there are no lists.
 */
export const lists: LoadedLists = {
  findRows: () => new Map(),
  showInLists: async (_cache, _ids, _shown, sent) => {
    for (const { id } of await sent.catch(() => [])) publishTicketChange({ id, isNew: false });
  },
  showUnread: () => undefined,
};
