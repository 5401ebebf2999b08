import type { TicketSla } from '@tandem/contracts';
import { api } from '../../app/api';

export const slaApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTicketSla: build.query<TicketSla | null, string>({
      query: (id) => ({ path: `/tickets/${encodeURIComponent(id)}/sla` }),
      // Business hours and holidays are the organization's.
      providesTags: (_result, _error, id) => [{ type: 'Ticket', id }, 'Organization'],
    }),
  }),
});

export const { useReadTicketSlaQuery } = slaApi;
