import type { Ticket } from '@tandem/contracts';
import { snoozeTicket, wakeTicketNow } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import type { AppDispatch } from '../../../app/store';
import { call } from '../../../lib/call';
import { lists } from '../list/loaded-lists';
import { takeTicket, ticketsApi } from '../tickets.api';

interface Cache {
  dispatch: AppDispatch;
  getState: () => unknown;
  queryFulfilled: Promise<{ data: Ticket }>;
}

/** Shown immediately on the page and in all lists; reverted if the server refuses. */
async function show(cache: Cache, id: string, shown: Pick<Ticket, 'snoozed_at' | 'snoozed_until'>): Promise<void> {
  const { dispatch, queryFulfilled } = cache;
  const patch = dispatch(ticketsApi.util.updateQueryData('readTicket', id, (ticket) => void Object.assign(ticket, shown)));
  void lists.showInLists(
    cache,
    [id],
    () => shown,
    queryFulfilled.then(({ data }) => [{ id, ticket: data }]),
  );
  const answer = await queryFulfilled.catch(() => undefined);
  if (answer) takeTicket(dispatch, answer.data);
  else patch.undo();
}

const snoozeApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    snoozeTicket: build.mutation({
      ...endpoint(({ id, until }: { id: string; until: string | null }) => call(snoozeTicket, { params: { id }, body: { until } })),
      invalidatesTags: ['TicketList', 'ViewCounts'],
      onQueryStarted: ({ id, until }, cache) => show(cache, id, { snoozed_at: new Date().toISOString(), snoozed_until: until }),
    }),
    wakeTicket: build.mutation({
      ...endpoint((id: string) => call(wakeTicketNow, { params: { id } })),
      invalidatesTags: ['TicketList', 'ViewCounts'],
      onQueryStarted: (id, cache) => show(cache, id, { snoozed_at: null, snoozed_until: null }),
    }),
  }),
});

export const { useSnoozeTicketMutation, useWakeTicketMutation } = snoozeApi;
