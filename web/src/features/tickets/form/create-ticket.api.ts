import type { CustomFieldChanges } from '@tandem/contracts';
import { createTicket } from '@tandem/contracts/endpoints';
import type { TicketPriority } from '@tandem/contracts/values';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';
import { t } from '../../../lib/staff-texts';
import { addOwnTicket } from '../../../lib/ticket-changes';

export interface NewTicket {
  subject: string;
  description: string;
  customer_email: string;
  customer_name: string;
  category: string;
  priority: TicketPriority;
  tags: string[];
  attachment_ids?: string[];
  custom_fields?: CustomFieldChanges;
}
/** Separate from the other ticket calls, because the form needs none of the code that keeps lists up to date. */
const createTicketApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    createTicket: build.mutation({
      ...endpoint(({ key, ...body }: NewTicket & { key: string }) =>
        call(createTicket, {
          body,
          headers: { 'idempotency-key': key },
          resend: { label: t('tickets.form.new_ticket_subject', { subject: body.subject }) },
        }),
      ),
      invalidatesTags: ['TicketList', 'Stats', 'ViewCounts'],
      onQueryStarted: async (_ticket, { queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) addOwnTicket(answer.data.id);
      },
    }),
  }),
});

export const { useCreateTicketMutation } = createTicketApi;
