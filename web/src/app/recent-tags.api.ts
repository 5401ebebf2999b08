import type { TicketSummary } from '@tandem/contracts';
import { listTickets } from '@tandem/contracts/endpoints';
import { call } from '../lib/call';
import { api } from './api';

const recentTagsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** The tags of the newest tickets. Read again after ten minutes, not after every change to a ticket. */
    readRecentTags: build.query<string[], void>({
      query: () => call(listTickets, { query: { sort: 'newest', limit: 100 } }),
      transformResponse: (tickets: TicketSummary[]) => [...new Set(tickets.flatMap(({ tags }) => tags))],
      keepUnusedDataFor: 600,
    }),
  }),
});

export const { useReadRecentTagsQuery } = recentTagsApi;
