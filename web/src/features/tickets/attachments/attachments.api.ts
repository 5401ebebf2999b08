import { listAttachments } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';

export const attachmentsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** The files of a ticket's description. They never change, so no event invalidates them. */
    listAttachments: build.query({
      ...endpoint((ticket_id: string) => call(listAttachments, { params: { id: ticket_id } })),
      keepUnusedDataFor: 600,
    }),
  }),
});

export const { useListAttachmentsQuery } = attachmentsApi;
