import type { Attachment, OutputOf, announceAttachment, linkAttachment } from '@tandem/contracts';
import { attachmentRules } from '@tandem/contracts/values';
import { api } from '../../../app/api';

type Announced = OutputOf<typeof announceAttachment>;
export type SignedLink = OutputOf<typeof linkAttachment>;

export const attachmentsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** The files of a ticket's description; they never change, so no event makes them old. */
    listAttachments: build.query<Attachment[], string>({
      query: (ticket_id) => ({ path: `/tickets/${encodeURIComponent(ticket_id)}/attachments` }),
      keepUnusedDataFor: 600,
    }),
    announceAttachment: build.mutation<Announced, { file_name: string; size: number }>({
      query: (body) => ({ path: '/attachments', method: 'POST', body }),
    }),
    /** Writes nothing: a query, so that a picture's link is asked for once and not with every look at it. */
    linkAttachment: build.query<SignedLink, string>({
      query: (id) => ({ path: `/attachments/${encodeURIComponent(id)}/link`, method: 'POST', body: {} }),
      keepUnusedDataFor: attachmentRules.linkSeconds / 2,
    }),
  }),
});

export const { useListAttachmentsQuery, useAnnounceAttachmentMutation, useLazyLinkAttachmentQuery } = attachmentsApi;
