import { cancelOrganizationDeletion, requestOrganizationDeletion } from '@tandem/contracts/endpoints';
import { call, type BodyOf } from '../lib/call';
import { api } from './api';
import { endpoint } from './endpoint';

const deletionApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    requestOrganizationDeletion: build.mutation({
      ...endpoint(({ id, ...body }: { id: string } & BodyOf<typeof requestOrganizationDeletion>) =>
        call(requestOrganizationDeletion, { params: { id }, body }),
      ),
      // Also after a refusal: another admin may have requested it in the meantime.
      invalidatesTags: ['Organization', 'Session'],
    }),
    cancelOrganizationDeletion: build.mutation({
      ...endpoint((id: string) => call(cancelOrganizationDeletion, { params: { id } })),
      invalidatesTags: ['Organization', 'Session'],
    }),
  }),
});

export const { useRequestOrganizationDeletionMutation, useCancelOrganizationDeletionMutation } = deletionApi;
