import { announceAttachment, linkAttachment, listAttachments } from '@tandem/contracts/endpoints';
import { attachmentRules } from '@tandem/contracts/values';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call, type BodyOf, type Result } from '../../../lib/call';

export type SignedLink = Result<typeof linkAttachment>;

export const attachmentsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** The files of a ticket's description. They never change, so no event invalidates them. */
    listAttachments: build.query({
      ...endpoint((ticket_id: string) => call(listAttachments, { params: { id: ticket_id } })),
      keepUnusedDataFor: 600,
    }),
    announceAttachment: build.mutation(endpoint((body: BodyOf<typeof announceAttachment>) => call(announceAttachment, { body }))),
    /** A query rather than a mutation, because it changes nothing and its cached link is reused for each display of an image. */
    linkAttachment: build.query({
      ...endpoint((id: string) => call(linkAttachment, { params: { id } })),
      keepUnusedDataFor: attachmentRules.linkSeconds / 2,
    }),
  }),
});

export const { useListAttachmentsQuery, useAnnounceAttachmentMutation, useLazyLinkAttachmentQuery } = attachmentsApi;
