import { listTicketEmails, readOriginalMail, readTicketSurvey, retryEmail } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call, type Result } from '../../../lib/call';

export type TicketMails = Result<typeof listTicketEmails>;

/** Emails sent to the customer, the original emails received from them, and their survey rating. */
export const customerApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listTicketEmails: build.query({
      ...endpoint((ticket_id: string) => call(listTicketEmails, { params: { id: ticket_id } })),
      providesTags: (_result, _error, id) => [{ type: 'Emails', id }],
    }),
    retryEmail: build.mutation({
      ...endpoint(({ email_id }: { email_id: string; ticket_id: string }) => call(retryEmail, { params: { id: email_id } })),
      invalidatesTags: (_result, _error, { ticket_id }) => [{ type: 'Emails', id: ticket_id }],
    }),
    readTicketSurvey: build.query({
      ...endpoint((ticket_id: string) => call(readTicketSurvey, { params: { id: ticket_id } })),
      providesTags: (_result, _error, id) => [{ type: 'Ticket', id }],
    }),
    readOriginalMail: build.query(
      endpoint(({ ticket_id, comment_id }: { ticket_id: string; comment_id: string | undefined }) =>
        call(readOriginalMail, { params: { id: ticket_id }, query: { comment_id } }),
      ),
    ),
  }),
});

export const { useListTicketEmailsQuery, useRetryEmailMutation, useReadTicketSurveyQuery, useReadOriginalMailQuery } = customerApi;
