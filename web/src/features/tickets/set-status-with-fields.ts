import type { ChangesWithComment, CustomField, CustomFieldChanges, Ticket } from '@tandem/contracts';
import type { TicketStatus } from '@tandem/contracts/values';
import { customFieldsApi, knownCustomFields } from '../../app/custom-fields/custom-fields.api';
import { requestFields } from '../../app/custom-fields/required-fields';
import { fieldNames, missingFields, problemsByField, requiredKeys } from '../../app/custom-fields/ticket-fields';
import { isClosing, withChanges } from '../../app/custom-fields/ticket-values';
import { again, readAgain } from '../../app/read-again';
import type { AppThunk } from '../../app/store';
import { notify } from '../../lib/notify';
import { isWithdrawn } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { ticketsApi } from './tickets.api';

/** The fields as they are now, after the server has refused values because of a definition that this page does not know. */
const reloadCustomFields = (): AppThunk<Promise<CustomField[]>> => async (dispatch, getState) => {
  await readAgain(() => dispatch(customFieldsApi.endpoints.listCustomFields.initiate(undefined, again)));
  return knownCustomFields(getState());
};

/** A ticket from an older server has no values. */
type KnownTicket = Pick<Ticket, 'status' | 'category'> & Partial<Pick<Ticket, 'custom_fields'>>;

/** Required fields that have no value after the changes. A ticket that is already resolved or closed needs none. */
export const missingAfter =
  (ticket: KnownTicket, { status, custom_fields = {} }: ChangesWithComment): AppThunk<CustomField[]> =>
  (_dispatch, getState) => {
    const { category, custom_fields: before } = ticket;
    if (!isClosing(status) || isClosing(ticket.status) || !before) return [];
    return missingFields(knownCustomFields(getState()), { category, custom_fields: withChanges(before, custom_fields) });
  };

/** Asks for the fields without a value, or for those that the server has refused, and sets the status together with them. */
export const setStatusWithFields =
  (id: string, status: TicketStatus, refusal: unknown): AppThunk<Promise<void>> =>
  async (dispatch, getState) => {
    const { data: ticket } = ticketsApi.endpoints.readTicket.select(id)(getState());
    let fields = ticket ? dispatch(missingAfter(ticket, { status })) : [];
    let values: CustomFieldChanges = {};
    for (let error = refusal; ;) {
      const problems = problemsByField(error);
      if (error) {
        const refused = new Set([...fields.map(({ key }) => key), ...Object.keys(problems)]);
        // The definitions may have changed since they were loaded.
        fields = Object.keys(problems).length > 0 ? (await dispatch(reloadCustomFields())).filter(({ key }) => refused.has(key)) : [];
        if (fields.length === 0) return notify.error(t('tickets.failed_to_update_ticket_status'));
      }
      if (fields.length > 0) {
        const filled = await requestFields({ status, fields, values, problems });
        if (!filled) return;
        values = filled;
      }
      const changes = { status, ...(fields.length > 0 ? { custom_fields: values } : {}) };
      ({ error } = await dispatch(ticketsApi.endpoints.updateTicket.initiate({ id, changes }, { track: false })));
      if (!error || isWithdrawn(error)) return;
    }
  };

/** What the server says about the values of a refused change, as a sentence for people, and the first of the fields. */
export const fieldProblemsText =
  (error: unknown): AppThunk<Promise<{ sentence: string; first: string } | undefined>> =>
  async (dispatch) => {
    const problems = Object.entries(problemsByField(error));
    const [first] = problems.map(([key]) => key);
    if (first === undefined) return undefined;
    const fields = await dispatch(reloadCustomFields());
    const required = requiredKeys(error);
    const names = fieldNames(fields, required);
    const others = problems.filter(([key]) => !required.includes(key));
    const sentences = [
      ...(required.length > 0 ? [t('tickets.fill_in_first', { fields: names, count: required.length })] : []),
      ...others.map(([key, problem = '']) => t('tickets.field_problem', { label: fieldNames(fields, [key]), problem })),
    ];
    return { first, sentence: sentences.join('. ') };
  };
