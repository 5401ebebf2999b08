import type { InboundMail, MailServer } from '@tandem/contracts';
import {
  checkSenderDomain,
  deleteMailbox,
  deleteMailServer,
  deleteSenderDomain,
  listInboundMails,
  readMailIn,
  readMailServer,
  readSenderDomain,
  rotateSenderKey,
  saveMailbox,
  saveMailServer,
  saveSenderDomain,
  sendTestEmail,
} from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint, infiniteEndpoint } from '../../../app/endpoint';
import { call, type Result } from '../../../lib/call';

export type MailIn = Result<typeof readMailIn>;
export interface MailboxForm {
  host: string;
  port: number;
  username: string;
  password: string;
  folder: string;
  is_active: boolean;
}
export type MailServerForm = Pick<MailServer, 'host' | 'port' | 'security' | 'from_address'> & { username: string; password: string };
export type Outcome = NonNullable<InboundMail['outcome']>;

const pageSize = 25;

const mailSettingsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readMailIn: build.query({ ...endpoint(() => call(readMailIn)), providesTags: ['MailIn', 'Organization'] }),
    saveMailbox: build.mutation({
      // If the password is empty, the stored one is not changed.
      ...endpoint(({ password, ...mailbox }: MailboxForm) =>
        call(saveMailbox, { body: { ...mailbox, ...(password ? { password } : {}) } }),
      ),
      invalidatesTags: ['MailIn'],
    }),
    deleteMailbox: build.mutation({
      ...endpoint(() => call(deleteMailbox)),
      invalidatesTags: ['MailIn'],
    }),
    readSenderDomain: build.query({ ...endpoint(() => call(readSenderDomain)), providesTags: ['SenderDomain'] }),
    saveSenderDomain: build.mutation({
      ...endpoint((body: { domain: string; local_part: string }) => call(saveSenderDomain, { body })),
      invalidatesTags: ['SenderDomain'],
    }),
    checkSenderDomain: build.mutation({ ...endpoint(() => call(checkSenderDomain)), invalidatesTags: ['SenderDomain'] }),
    rotateSenderKey: build.mutation({ ...endpoint(() => call(rotateSenderKey)), invalidatesTags: ['SenderDomain'] }),
    deleteSenderDomain: build.mutation({ ...endpoint(() => call(deleteSenderDomain)), invalidatesTags: ['SenderDomain'] }),
    readMailServer: build.query({ ...endpoint(() => call(readMailServer)), providesTags: ['MailServer'] }),
    saveMailServer: build.mutation({
      // If the password is empty, the stored one is not changed.
      ...endpoint(({ password, ...server }: MailServerForm) =>
        call(saveMailServer, { body: { ...server, ...(password ? { password } : {}) } }),
      ),
      invalidatesTags: ['MailServer'],
    }),
    deleteMailServer: build.mutation({ ...endpoint(() => call(deleteMailServer)), invalidatesTags: ['MailServer'] }),
    sendTestEmail: build.mutation(endpoint(() => call(sendTestEmail))),
    listInboundMails: build.infiniteQuery({
      ...infiniteEndpoint((outcome: Outcome | undefined, cursor) =>
        call(listInboundMails, { query: { outcome, limit: pageSize, cursor } }),
      ),
      // Ignored emails are not pushed as events: read the log again on every visit.
      keepUnusedDataFor: 0,
    }),
  }),
});

export const {
  useReadMailInQuery,
  useSaveMailboxMutation,
  useDeleteMailboxMutation,
  useReadSenderDomainQuery,
  useSaveSenderDomainMutation,
  useCheckSenderDomainMutation,
  useRotateSenderKeyMutation,
  useDeleteSenderDomainMutation,
  useReadMailServerQuery,
  useSaveMailServerMutation,
  useDeleteMailServerMutation,
  useSendTestEmailMutation,
  useListInboundMailsInfiniteQuery,
} = mailSettingsApi;
