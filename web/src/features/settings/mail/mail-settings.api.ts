import type { InboundMail, Mailbox, OutputOf, Pagination, readMailIn } from '@tandem/contracts';
import { api } from '../../../app/api';

export type MailIn = OutputOf<typeof readMailIn>;
export interface MailboxForm {
  host: string;
  port: number;
  username: string;
  password: string;
  folder: string;
  is_active: boolean;
}
export type Outcome = NonNullable<InboundMail['outcome']>;

const pageSize = 25;

const mailSettingsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readMailIn: build.query<MailIn, void>({ query: () => ({ path: '/mail-in' }), providesTags: ['MailIn', 'Organization'] }),
    saveMailbox: build.mutation<Mailbox, MailboxForm>({
      // If the password is empty, the stored one is not changed.
      query: ({ password, ...mailbox }) => ({
        path: '/mail-in/mailbox',
        method: 'PUT',
        body: { ...mailbox, ...(password ? { password } : {}) },
      }),
      invalidatesTags: ['MailIn'],
    }),
    deleteMailbox: build.mutation<unknown, void>({
      query: () => ({ path: '/mail-in/mailbox', method: 'DELETE' }),
      invalidatesTags: ['MailIn'],
    }),
    listInboundMails: build.infiniteQuery<{ items: InboundMail[]; pagination: Pagination | undefined }, Outcome | undefined, string | null>(
      {
        infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ pagination }) => pagination?.next_cursor ?? null },
        query: ({ queryArg, pageParam }) => ({
          path: '/mail-in/mails',
          query: { outcome: queryArg, limit: pageSize, cursor: pageParam ?? undefined },
        }),
        transformResponse: (items: InboundMail[], meta) => ({ items, pagination: meta?.pagination }),
        // Mails that were ignored are not pushed as events: read the log again on every visit.
        keepUnusedDataFor: 0,
      },
    ),
  }),
});

export const { useReadMailInQuery, useSaveMailboxMutation, useDeleteMailboxMutation, useListInboundMailsInfiniteQuery } = mailSettingsApi;
