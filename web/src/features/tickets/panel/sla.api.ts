import type { TicketSla } from '@tandem/contracts';
import { api } from '../../../app/api';

export const slaApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTicketSla: build.query<TicketSla | null, string>({
      query: (id) => ({ path: `/tickets/${encodeURIComponent(id)}/sla` }),
      // Depends on the organization's business hours and holidays.
      providesTags: (_result, _error, id) => [{ type: 'Ticket', id }, 'Organization'],
    }),
  }),
});

export const { useReadTicketSlaQuery } = slaApi;
