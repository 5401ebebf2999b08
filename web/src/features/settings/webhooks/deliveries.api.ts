import type { WebhookReplay } from '@tandem/contracts';
import {
  listTickets,
  listTicketWebhookDeliveries,
  listWebhookDeliveries,
  listWebhookReplays,
  readTicket,
  readWebhookDelivery,
  redeliverWebhooks,
  replayWebhooks,
  testWebhookEndpoint,
  updateWebhookReplay,
} from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint, infiniteEndpoint } from '../../../app/endpoint';
import { call, type BodyOf, type QueryOf } from '../../../lib/call';

const deliveryPageSize = 25;
export type DeliveryQuery = Pick<QueryOf<typeof listWebhookDeliveries>, 'state' | 'event' | 'from' | 'ticket_id'>;
/** The deliveries to one endpoint, or of one ticket to all endpoints. */
export type DeliveryOwner = { endpoint_id: string } | { ticket_id: string };
type ListArgument = DeliveryOwner & { filter: DeliveryQuery };
export type TestEvent = NonNullable<BodyOf<typeof testWebhookEndpoint>['event']>;
export type Replay = BodyOf<typeof replayWebhooks>;

const deliveriesCall = ({ filter, ...owner }: ListArgument, cursor: string | undefined) => {
  const query = { ...filter, limit: deliveryPageSize, cursor };
  return 'ticket_id' in owner
    ? call(listTicketWebhookDeliveries, { params: { id: owner.ticket_id }, query })
    : call(listWebhookDeliveries, { params: { id: owner.endpoint_id }, query });
};

const deliveriesApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    testWebhookEndpoint: build.mutation({
      ...endpoint(({ id, ...body }: { id: string } & BodyOf<typeof testWebhookEndpoint>) =>
        call(testWebhookEndpoint, { params: { id }, body }),
      ),
      invalidatesTags: ['WebhookDeliveries'],
    }),
    listDeliveries: build.infiniteQuery({
      ...infiniteEndpoint(deliveriesCall),
      providesTags: ['WebhookDeliveries'],
      keepUnusedDataFor: 30,
    }),
    readWebhookDelivery: build.query({
      ...endpoint((id: string) => call(readWebhookDelivery, { params: { id } })),
      providesTags: ['WebhookDeliveries'],
      keepUnusedDataFor: 30,
    }),
    /** For the filter by ticket. The search finds longer numbers, too, but the ticket with the exact number is older. */
    findTicketsByNumber: build.query({
      ...endpoint((search: string) => call(listTickets, { query: { search, sort: 'oldest', limit: 25 } })),
      keepUnusedDataFor: 0,
    }),
    /** For the name of the ticket whose deliveries are shown. */
    readDeliveryTicket: build.query({
      ...endpoint((id: string) => call(readTicket, { params: { id } })),
      keepUnusedDataFor: 30,
    }),
    redeliverWebhooks: build.mutation({
      ...endpoint(({ ids, key }: { ids: string[]; key: string }) =>
        call(redeliverWebhooks, { body: { ids }, headers: { 'idempotency-key': key } }),
      ),
      invalidatesTags: ['WebhookDeliveries', 'WebhookEndpoints'],
    }),
    /** Counts only; `replayWebhooks` sends. */
    countReplay: build.query({
      ...endpoint(({ id, body }: { id: string; body: Replay }) =>
        call(replayWebhooks, { params: { id }, body: { ...body, dry_run: true } }),
      ),
      keepUnusedDataFor: 0,
    }),
    replayWebhooks: build.mutation({
      ...endpoint(({ id, body, key }: { id: string; body: Replay; key: string }) =>
        call(replayWebhooks, { params: { id }, body, headers: { 'idempotency-key': key } }),
      ),
      invalidatesTags: ['WebhookReplays', 'WebhookDeliveries'],
    }),
    listWebhookReplays: build.query({
      ...endpoint((id: string) => call(listWebhookReplays, { params: { id } })),
      providesTags: ['WebhookReplays'],
    }),
    updateWebhookReplay: build.mutation({
      ...endpoint(({ id, state }: { id: string; state: Exclude<WebhookReplay['state'], 'done'> }) =>
        call(updateWebhookReplay, { params: { id }, body: { state } }),
      ),
      invalidatesTags: ['WebhookReplays'],
    }),
  }),
});

export const {
  useTestWebhookEndpointMutation,
  useLazyFindTicketsByNumberQuery,
  useReadDeliveryTicketQuery,
  useListDeliveriesInfiniteQuery,
  useReadWebhookDeliveryQuery,
  useRedeliverWebhooksMutation,
  useCountReplayQuery,
  useReplayWebhooksMutation,
  useListWebhookReplaysQuery,
  useUpdateWebhookReplayMutation,
} = deliveriesApi;
