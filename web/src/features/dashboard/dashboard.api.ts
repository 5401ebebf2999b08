import type { Invitation, SlaPolicy, TicketStats, TicketSummary, WidgetSettings } from '@tandem/contracts';
import { api } from '../../app/api';

/** Number of recent tickets on the dashboard. */
export const recentCount = 5;
const openWorkCount = 8;

export const {
  useReadTicketStatsQuery,
  useRecentTicketsQuery,
  useOpenWorkQuery,
  usePoliciesQuery,
  usePendingInvitationsQuery,
  useWidgetSitesQuery,
} = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTicketStats: build.query<TicketStats, void>({ query: () => ({ path: '/tickets/stats' }), providesTags: ['Stats'] }),
    recentTickets: build.query<TicketSummary[], void>({
      query: () => ({ path: '/tickets', query: { limit: recentCount } }),
      providesTags: ['TicketList'],
    }),
    /** Open tickets assigned to the user, earliest due date first. */
    openWork: build.query<TicketSummary[], void>({
      query: () => ({
        path: '/tickets',
        query: { assignee: 'me', status: 'open,in_progress,waiting_for_customer', sort: 'due', limit: openWorkCount },
      }),
      providesTags: ['TicketList'],
    }),
    /** Only to know whether there are any; their own page reads them again. */
    policies: build.query<SlaPolicy[], void>({ query: () => ({ path: '/sla-policies' }), keepUnusedDataFor: 5 }),
    pendingInvitations: build.query<Invitation[], void>({ query: () => ({ path: '/team/invitations' }), providesTags: ['Invitations'] }),
    widgetSites: build.query<WidgetSettings, void>({ query: () => ({ path: '/widget-settings' }), keepUnusedDataFor: 5 }),
  }),
});
