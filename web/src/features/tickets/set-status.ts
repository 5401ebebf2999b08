import type { ChangesWithComment, CustomField, Ticket } from '@tandem/contracts';
import type { TicketStatus } from '@tandem/contracts/values';
import { knownCustomFields } from '../../app/custom-fields/custom-fields.api';
import { requestFields } from '../../app/custom-fields/required-fields';
import { isClosing, mergeChanges, missingFields, withChanges } from '../../app/custom-fields/ticket-fields';
import type { AppThunk } from '../../app/store';
import { isWithdrawn } from '../../lib/problem';
import { ticketsApi } from './tickets.api';

/** A ticket from an older server has no values. */
type KnownTicket = Pick<Ticket, 'status' | 'category'> & Partial<Pick<Ticket, 'custom_fields'>>;

/** Required fields that have no value after the changes. A ticket that is already resolved or closed needs none. */
const missingAfter =
  (ticket: KnownTicket, { status, custom_fields = {} }: ChangesWithComment): AppThunk<CustomField[]> =>
  (_dispatch, getState) => {
    const { category, custom_fields: before } = ticket;
    if (!isClosing(status) || isClosing(ticket.status) || !before) return [];
    return missingFields(knownCustomFields(getState()), { category, custom_fields: withChanges(before, custom_fields) });
  };

/** Passes the changes on, after asking for the required fields that they lack. Synchronous if they lack none. Nothing happens if the user cancels. */
export const withRequiredFields =
  (ticket: Ticket, changes: ChangesWithComment, proceed: (changes: ChangesWithComment) => void): AppThunk =>
  (dispatch) => {
    const fields = dispatch(missingAfter(ticket, changes));
    if (fields.length === 0 || !changes.status) return proceed(changes);
    void requestFields({ status: changes.status, fields }).then(
      (custom_fields) => custom_fields && proceed(mergeChanges(changes, { custom_fields })),
    );
  };

/**
 * Sets the status. Asks for the required fields that have no value before it is sent, and for those that the server refuses: rows of lists
 * have no values.
 */
export const setStatus =
  (id: string, status: TicketStatus): AppThunk<Promise<void>> =>
  async (dispatch, getState) => {
    const { data: ticket } = ticketsApi.endpoints.readTicket.select(id)(getState());
    const fields = ticket ? dispatch(missingAfter(ticket, { status })) : [];
    let refusal: unknown;
    if (fields.length === 0) {
      const { error } = await dispatch(ticketsApi.endpoints.updateTicket.initiate({ id, changes: { status } }, { track: false }));
      if (!error || isWithdrawn(error)) return;
      refusal = error;
    }
    const { setStatusWithFields } = await import('./set-status-with-fields');
    await dispatch(setStatusWithFields(id, status, fields, refusal));
  };
