import * as z from 'zod';
import { event, operation } from './define';

const owner = 'analytics';

/** The dashboard's counts; `open` is the sum of the statuses open and in_progress. */
export const TicketStats = z.object({
  total: z.number().int(),
  open: z.number().int(),
  resolved: z.number().int(),
  unassigned: z.number().int(),
});
export type TicketStats = z.infer<typeof TicketStats>;

export const readTicketStats = operation({
  name: 'analytics.ticketStats',
  summary: 'Counts for the dashboard.',
  owner,
  method: 'GET',
  path: '/tickets/stats',
  allow: 'ticket.read',
  output: TicketStats,
});

/** The counts now include a ticket event: open dashboards reload them. */
export const metricsUpdated = event('metrics.updated', owner, z.object({ ticket_id: z.uuid() }), { live: true });
