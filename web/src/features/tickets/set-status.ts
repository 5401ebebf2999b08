import type { ChangesWithComment, CustomField, CustomFieldChanges, Ticket } from '@tandem/contracts';
import type { TicketStatus } from '@tandem/contracts/values';
import { knownCustomFields, reloadCustomFields } from '../../app/custom-fields/custom-fields.api';
import { requestFields } from '../../app/custom-fields/required-fields';
import {
  fieldNames,
  isClosing,
  mergeChanges,
  missingFields,
  problemsByField,
  requiredKeys,
  withChanges,
} from '../../app/custom-fields/ticket-fields';
import type { AppThunk } from '../../app/store';
import { notify } from '../../lib/notify';
import { isWithdrawn } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { ticketsApi } from './tickets.api';

/** Required fields that have no value after the changes. None if the ticket came from an older server, without values. */
const missingAfter =
  (
    { category, custom_fields: values }: Pick<Ticket, 'category'> & Partial<Ticket>,
    { status, custom_fields = {} }: ChangesWithComment,
  ): AppThunk<CustomField[]> =>
  (_dispatch, getState) =>
    isClosing(status) && values
      ? missingFields(knownCustomFields(getState()), { category, custom_fields: withChanges(values, custom_fields) })
      : [];

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
    let fields = ticket ? dispatch(missingAfter(ticket, { status })) : [];
    let values: CustomFieldChanges = {};
    let problems: ReturnType<typeof problemsByField> = {};
    for (;;) {
      if (fields.length > 0) {
        const filled = await requestFields({ status, fields, values, problems });
        if (!filled) return;
        values = filled;
      }
      const changes = { status, ...(fields.length > 0 ? { custom_fields: values } : {}) };
      const { error } = await dispatch(ticketsApi.endpoints.updateTicket.initiate({ id, changes }, { track: false }));
      if (!error || isWithdrawn(error)) return;
      problems = problemsByField(error);
      const refused = new Set([...fields.map(({ key }) => key), ...Object.keys(problems)]);
      // The definitions may have changed since they were loaded.
      fields = Object.keys(problems).length > 0 ? (await dispatch(reloadCustomFields())).filter(({ key }) => refused.has(key)) : [];
      if (fields.length === 0) return notify.error(t('tickets.failed_to_update_ticket_status'));
    }
  };

/** The fields without which the server did not resolve or close a ticket, as a sentence; undefined if it refused something else. */
export const requiredFieldsText =
  (error: unknown): AppThunk<Promise<{ sentence: string; first: string } | undefined>> =>
  async (dispatch) => {
    const keys = requiredKeys(error);
    const [first] = keys;
    if (first === undefined) return undefined;
    const fields = await dispatch(reloadCustomFields());
    return { first, sentence: t('tickets.fill_in_before_resolving', { fields: fieldNames(fields, keys), count: keys.length }) };
  };
