import type { listTicketEmails, OriginalMail, OutputOf, Survey, TicketEmail } from '@tandem/contracts';
import { api } from '../../../app/api';

export type TicketMails = OutputOf<typeof listTicketEmails>;

const pathOf = (ticket_id: string) => `/tickets/${encodeURIComponent(ticket_id)}`;

/** Mails sent to the customer, the original mails received from them, and their survey rating. */
export const customerApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listTicketEmails: build.query<TicketMails, string>({
      query: (ticket_id) => ({ path: `${pathOf(ticket_id)}/emails` }),
      providesTags: (_result, _error, id) => [{ type: 'Emails', id }],
    }),
    retryEmail: build.mutation<TicketEmail, { email_id: string; ticket_id: string }>({
      query: ({ email_id }) => ({ path: `/emails/${email_id}/retry`, method: 'POST', body: {} }),
      invalidatesTags: (_result, _error, { ticket_id }) => [{ type: 'Emails', id: ticket_id }],
    }),
    readTicketSurvey: build.query<Survey | null, string>({
      query: (ticket_id) => ({ path: `${pathOf(ticket_id)}/survey` }),
      providesTags: (_result, _error, id) => [{ type: 'Ticket', id }],
    }),
    readOriginalMail: build.query<OriginalMail, { ticket_id: string; comment_id: string | undefined }>({
      query: ({ ticket_id, comment_id }) => ({ path: `${pathOf(ticket_id)}/original`, query: { comment_id } }),
    }),
  }),
});

export const { useListTicketEmailsQuery, useRetryEmailMutation, useReadTicketSurveyQuery, useReadOriginalMailQuery } = customerApi;
