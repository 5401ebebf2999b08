import type { ApiToken, ApiTokenRequest, UpdateApiToken } from '@tandem/contracts';
import {
  createApiToken,
  deleteApiToken,
  listApiTokenRequests,
  listApiTokens,
  rotateApiToken,
  updateApiToken,
} from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call, type BodyOf } from '../../../lib/call';

interface RequestPage {
  requests: ApiTokenRequest[];
  next_cursor: string | null;
}

const tokensApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listApiTokens: build.query({ ...endpoint(() => call(listApiTokens)), providesTags: ['ApiTokens'], keepUnusedDataFor: 0 }),
    createApiToken: build.mutation({
      ...endpoint((body: BodyOf<typeof createApiToken>) => call(createApiToken, { body })),
      invalidatesTags: ['ApiTokens'],
    }),
    updateApiToken: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: UpdateApiToken }) => call(updateApiToken, { params: { id }, body: changes })),
      // The switch changes immediately, and reverts if the server rejects the request.
      onQueryStarted: ({ id, changes }, { dispatch, queryFulfilled }) => {
        const change = (part: Partial<ApiToken>) =>
          dispatch(
            tokensApi.util.updateQueryData('listApiTokens', undefined, (tokens) => {
              for (const each of tokens) if (each.id === id) Object.assign(each, part);
            }),
          );
        const patch = change(changes);
        queryFulfilled.then(
          ({ data }) => change(data),
          () => patch.undo(),
        );
      },
    }),
    rotateApiToken: build.mutation({
      ...endpoint(({ id, overlap_hours }: { id: string; overlap_hours: number }) =>
        call(rotateApiToken, { params: { id }, body: { overlap_hours } }),
      ),
      invalidatesTags: ['ApiTokens'],
    }),
    deleteApiToken: build.mutation({
      ...endpoint((id: string) => call(deleteApiToken, { params: { id } })),
      invalidatesTags: ['ApiTokens'],
    }),
    listApiTokenRequests: build.infiniteQuery<RequestPage, string, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ next_cursor }) => next_cursor },
      query: ({ queryArg: id, pageParam }) =>
        call(listApiTokenRequests, { params: { id }, query: { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } }),
      // New requests are not pushed as events: read the log again on every visit.
      keepUnusedDataFor: 0,
    }),
  }),
});

export const {
  useListApiTokensQuery,
  useCreateApiTokenMutation,
  useUpdateApiTokenMutation,
  useRotateApiTokenMutation,
  useDeleteApiTokenMutation,
  useListApiTokenRequestsInfiniteQuery,
} = tokensApi;
