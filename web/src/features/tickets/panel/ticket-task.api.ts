import { readTicketTask } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call, type Result } from '../../../lib/call';

export type TaskOfTicket = Result<typeof readTicketTask>;

/** Separate from the changes to the task (task.api.ts), which the ticket's first screen does not need. */
export const ticketTaskApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTicketTask: build.query({
      ...endpoint((ticket_id: string) => call(readTicketTask, { params: { id: ticket_id } })),
      // The possible links change with the connections and the integrations.
      providesTags: (_result, _error, id) => [{ type: 'TicketTask', id }, 'TaskTools', 'Integrations'],
    }),
  }),
});
