import {
  cancelErasure,
  createErasure,
  exportCustomer,
  listErasures,
  previewErasure,
  previewRetention,
  readErasure,
  readRetention,
  saveRetention,
} from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint, infiniteEndpoint } from '../../../app/endpoint';
import { call, type BodyOf } from '../../../lib/call';

const pageSize = 25;

export type RetentionChanges = BodyOf<typeof saveRetention>;

const privacyApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // A mutation, because its result and the address must not stay in the cache.
    previewErasure: build.mutation(endpoint((email: string) => call(previewErasure, { body: { email } }))),
    createErasure: build.mutation({
      ...endpoint(({ email, delay_hours, key }: { email: string; delay_hours: number; key: string }) =>
        call(createErasure, { body: { email, delay_hours }, headers: { 'idempotency-key': key } }),
      ),
      // If it is refused, another admin may have requested it.
      invalidatesTags: ['Erasures'],
    }),
    listErasures: build.infiniteQuery({
      ...infiniteEndpoint((_: void, cursor) => call(listErasures, { query: { limit: pageSize, cursor } })),
      providesTags: ['Erasures'],
    }),
    readErasure: build.query({
      ...endpoint((id: string) => call(readErasure, { params: { id } })),
      providesTags: ['Erasures'],
    }),
    cancelErasure: build.mutation({
      ...endpoint((id: string) => call(cancelErasure, { params: { id } })),
      // If it is refused, it has started.
      invalidatesTags: ['Erasures'],
    }),
    exportCustomer: build.mutation({
      ...endpoint(({ email, key }: { email: string; key: string }) =>
        call(exportCustomer, { body: { email }, headers: { 'idempotency-key': key } }),
      ),
      invalidatesTags: ['Exports'],
    }),
    readRetention: build.query(endpoint(() => call(readRetention))),
    previewRetention: build.query({
      ...endpoint((policy: RetentionChanges) => call(previewRetention, { body: policy })),
      keepUnusedDataFor: 0,
    }),
    saveRetention: build.mutation({
      ...endpoint((policy: RetentionChanges) => call(saveRetention, { body: policy })),
      onQueryStarted: async (_policy, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(privacyApi.util.updateQueryData('readRetention', undefined, () => answer.data));
      },
    }),
  }),
});

export const {
  usePreviewErasureMutation,
  useCreateErasureMutation,
  useListErasuresInfiniteQuery,
  useReadErasureQuery,
  useCancelErasureMutation,
  useExportCustomerMutation,
  useReadRetentionQuery,
  usePreviewRetentionQuery,
  useLazyPreviewRetentionQuery,
  useSaveRetentionMutation,
} = privacyApi;
