import type { CustomField, CustomFieldChanges } from '@tandem/contracts';
import type { TicketStatus } from '@tandem/contracts/values';
import { reloadCustomFields } from '../../app/custom-fields/custom-fields.api';
import { requestFields } from '../../app/custom-fields/required-fields';
import { fieldNames, problemsByField, requiredKeys } from '../../app/custom-fields/ticket-fields';
import type { AppThunk } from '../../app/store';
import { notify } from '../../lib/notify';
import { isWithdrawn } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { ticketsApi } from './tickets.api';

/** Asks for the fields, or for those that the server has refused, and sets the status together with them. */
export const setStatusWithFields =
  (id: string, status: TicketStatus, missing: CustomField[], refusal: unknown): AppThunk<Promise<void>> =>
  async (dispatch) => {
    let fields = missing;
    let values: CustomFieldChanges = {};
    for (let error = refusal; ;) {
      const problems = problemsByField(error);
      if (error !== undefined) {
        const refused = new Set([...fields.map(({ key }) => key), ...Object.keys(problems)]);
        // The definitions may have changed since they were loaded.
        fields = Object.keys(problems).length > 0 ? (await dispatch(reloadCustomFields())).filter(({ key }) => refused.has(key)) : [];
      }
      if (fields.length === 0) return notify.error(t('tickets.failed_to_update_ticket_status'));
      const filled = await requestFields({ status, fields, values, problems });
      if (!filled) return;
      values = filled;
      const changes = { status, custom_fields: values };
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
