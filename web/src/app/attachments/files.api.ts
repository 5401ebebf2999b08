import { announceAttachment, linkAttachment } from '@tandem/contracts/endpoints';
import { attachmentRules } from '@tandem/contracts/values';
import { api } from '../api';
import { endpoint } from '../endpoint';
import { call, type BodyOf } from '../../lib/call';

/** Uploads and downloads, kept out of the first load of a ticket's page. */
const filesApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    announceAttachment: build.mutation(endpoint((body: BodyOf<typeof announceAttachment>) => call(announceAttachment, { body }))),
    /** A query rather than a mutation, because it changes nothing and its cached link is reused for each display of an image. */
    linkAttachment: build.query({
      ...endpoint((id: string) => call(linkAttachment, { params: { id } })),
      keepUnusedDataFor: attachmentRules.linkSeconds / 2,
    }),
  }),
});

export const { useAnnounceAttachmentMutation, useLazyLinkAttachmentQuery } = filesApi;
