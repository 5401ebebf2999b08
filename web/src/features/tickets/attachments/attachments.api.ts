import type { Attachment, OutputOf, announceAttachment, linkAttachment } from '@tandem/contracts';
import { attachmentRules } from '@tandem/contracts/values';
import { api } from '../../../app/api';

type Announced = OutputOf<typeof announceAttachment>;
export type SignedLink = OutputOf<typeof linkAttachment>;

export const attachmentsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** The files of a ticket's description. They never change, so no event invalidates them. */
    listAttachments: build.query<Attachment[], string>({
      query: (ticket_id) => ({ path: `/tickets/${encodeURIComponent(ticket_id)}/attachments` }),
      keepUnusedDataFor: 600,
    }),
    announceAttachment: build.mutation<Announced, { file_name: string; size: number }>({
      query: (body) => ({ path: '/attachments', method: 'POST', body }),
    }),
    /** A query rather than a mutation, because it changes nothing and its cached link is reused for each display of an image. */
    linkAttachment: build.query<SignedLink, string>({
      query: (id) => ({ path: `/attachments/${encodeURIComponent(id)}/link`, method: 'POST', body: {} }),
      keepUnusedDataFor: attachmentRules.linkSeconds / 2,
    }),
  }),
});

export const { useListAttachmentsQuery, useAnnounceAttachmentMutation, useLazyLinkAttachmentQuery } = attachmentsApi;
