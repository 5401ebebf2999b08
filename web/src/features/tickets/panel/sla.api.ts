import { readTicketSla } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';

export const slaApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTicketSla: build.query({
      ...endpoint((id: string) => call(readTicketSla, { params: { id } })),
      // Depends on the organization's business hours and holidays.
      providesTags: (_result, _error, id) => [{ type: 'Ticket', id }, 'Organization'],
    }),
  }),
});

export const { useReadTicketSlaQuery } = slaApi;
