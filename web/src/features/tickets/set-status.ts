import type { TicketStatus } from '@tandem/contracts/values';
import { knownCustomFields } from '../../app/custom-fields/custom-fields.api';
import { isClosing } from '../../app/custom-fields/ticket-values';
import type { AppThunk } from '../../app/store';
import { isWithdrawn } from '../../lib/problem';
import { ticketsApi } from './tickets.api';

/**
 * Sets the status. Asks for the required fields that have no value before it is sent, and for those that the server refuses: rows of lists
 * have no values.
 */
export const setStatus =
  (id: string, status: TicketStatus): AppThunk<Promise<void>> =>
  async (dispatch, getState) => {
    const mayLackFields = isClosing(status) && knownCustomFields(getState()).some((field) => field.required_to_resolve);
    let refusal: unknown;
    if (!mayLackFields) {
      const { error } = await dispatch(ticketsApi.endpoints.updateTicket.initiate({ id, changes: { status } }, { track: false }));
      if (!error || isWithdrawn(error)) return;
      refusal = error;
    }
    const { setStatusWithFields } = await import('./set-status-with-fields');
    await dispatch(setStatusWithFields(id, status, refusal));
  };
