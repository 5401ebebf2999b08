import type { Ticket, TicketStats } from '@tandem/contracts';
import type { Tx } from '@tandem/db';

/** `sequence` is the sequence of the newest ticket event that was applied. */
export type TicketFactRow = Pick<Ticket, 'organization_id' | 'status' | 'priority' | 'assigned_to' | 'created_at' | 'resolved_at'> & {
  ticket_id: string;
  sequence: number;
};
export type TicketCountsRow = TicketStats & { organization_id: string };

/** Kysely's view of this service's database. The schema test compares it with the migrated one. */
export interface AnalyticsSchema {
  ticket_facts: TicketFactRow;
  ticket_counts: TicketCountsRow;
}
export type AnalyticsTx = Tx<AnalyticsSchema>;
