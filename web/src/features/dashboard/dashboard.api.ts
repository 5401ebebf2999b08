import {
  listInvitations,
  listSlaPolicies,
  listTickets,
  readMyAnalytics,
  readTicketStats,
  readWidgetSettings,
} from '@tandem/contracts/endpoints';
import { api } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import { call } from '../../lib/call';

/** Number of recent tickets on the dashboard. */
export const recentCount = 5;
const openWorkCount = 8;

export const {
  useReadTicketStatsQuery,
  useRecentTicketsQuery,
  useOpenWorkQuery,
  useMyAnalyticsQuery,
  usePoliciesQuery,
  usePendingInvitationsQuery,
  useWidgetSitesQuery,
} = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTicketStats: build.query({ ...endpoint(() => call(readTicketStats)), providesTags: ['Stats'] }),
    recentTickets: build.query({
      ...endpoint(() => call(listTickets, { query: { limit: recentCount } })),
      providesTags: ['TicketList'],
    }),
    /** Open tickets assigned to the user, earliest due date first. */
    openWork: build.query({
      ...endpoint(() =>
        call(listTickets, {
          query: { assignee: 'me', status: 'open,in_progress,waiting_for_customer', sort: 'due', limit: openWorkCount },
        }),
      ),
      providesTags: ['TicketList'],
    }),
    /** The agent's own figures of the last 30 days. */
    myAnalytics: build.query({ ...endpoint(() => call(readMyAnalytics)), providesTags: ['Analytics'] }),
    /** Read only to see whether there are any; the settings page reads them again. */
    policies: build.query({ ...endpoint(() => call(listSlaPolicies)), keepUnusedDataFor: 5 }),
    pendingInvitations: build.query({ ...endpoint(() => call(listInvitations)), providesTags: ['Invitations'] }),
    widgetSites: build.query({ ...endpoint(() => call(readWidgetSettings)), keepUnusedDataFor: 5 }),
  }),
});
