import type { ChangesWithComment, Ticket } from '@tandem/contracts';
import { requestFields } from '../../../app/custom-fields/required-fields';
import { mergeChanges } from '../../../app/custom-fields/ticket-fields';
import type { AppThunk } from '../../../app/store';
import { missingAfter } from '../set-status-with-fields';

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
