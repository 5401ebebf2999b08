import * as z from 'zod';
import { event, operation } from './define';

const owner = 'analytics';

/** The dashboard's counts (spec part 1, section 4: open = open plus in_progress). */
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

/** The counts took a ticket event in: open dashboards read them again. */
export const metricsUpdated = event('metrics.updated', owner, z.object({ ticket_id: z.uuid() }), { live: true });
