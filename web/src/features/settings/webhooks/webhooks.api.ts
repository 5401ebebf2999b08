import type { UpdateWebhookEndpoint, WebhookEndpoint } from '@tandem/contracts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call, type BodyOf } from '../../../lib/call';

const webhooksApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listWebhookEndpoints: build.query({ ...endpoint(() => call(listWebhookEndpoints)), providesTags: ['WebhookEndpoints'] }),
    createWebhookEndpoint: build.mutation({
      ...endpoint((body: BodyOf<typeof createWebhookEndpoint>) => call(createWebhookEndpoint, { body })),
      invalidatesTags: ['WebhookEndpoints'],
    }),
    updateWebhookEndpoint: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: UpdateWebhookEndpoint }) =>
        call(updateWebhookEndpoint, { params: { id }, body: changes }),
      ),
      onQueryStarted: ({ id }, { dispatch, queryFulfilled }) => {
        const put = (changed: WebhookEndpoint) =>
          dispatch(
            webhooksApi.util.updateQueryData('listWebhookEndpoints', undefined, (endpoints) =>
              endpoints.map((each) => (each.id === id ? changed : each)),
            ),
          );
        queryFulfilled.then(({ data }) => put(data)).catch(() => undefined);
      },
    }),
    deleteWebhookEndpoint: build.mutation({
      ...endpoint((id: string) => call(deleteWebhookEndpoint, { params: { id } })),
      invalidatesTags: ['WebhookEndpoints'],
    }),
    rotateWebhookSecret: build.mutation({
      ...endpoint(({ id, overlap_hours }: { id: string; overlap_hours: number }) =>
        call(rotateWebhookSecret, { params: { id }, body: { overlap_hours } }),
      ),
      invalidatesTags: ['WebhookEndpoints'],
    }),
  }),
});

export const {
  useListWebhookEndpointsQuery,
  useCreateWebhookEndpointMutation,
  useUpdateWebhookEndpointMutation,
  useDeleteWebhookEndpointMutation,
  useRotateWebhookSecretMutation,
} = webhooksApi;
