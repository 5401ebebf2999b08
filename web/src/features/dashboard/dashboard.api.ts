import type { TicketStats, TicketSummary } from '@tandem/contracts';
import { api } from '../../app/api';

/** Spec part 1, section 9. */
export const recentCount = 5;

export const { useReadTicketStatsQuery, useRecentTicketsQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    readTicketStats: build.query<TicketStats, void>({ query: () => ({ path: '/tickets/stats' }), providesTags: ['Stats'] }),
    recentTickets: build.query<TicketSummary[], void>({
      query: () => ({ path: '/tickets', query: { limit: recentCount } }),
      providesTags: ['TicketList'],
    }),
  }),
});
