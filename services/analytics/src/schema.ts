import type { Ticket, TicketStats } from '@tandem/contracts';
import type { Tx } from '@tandem/db';

/** `sequence`: of the newest event of the ticket that was taken in. */
export type TicketFactRow = Pick<Ticket, 'organization_id' | 'status' | 'priority' | 'assigned_to' | 'created_at' | 'resolved_at'> & {
  ticket_id: string;
  sequence: number;
};
export type TicketCountsRow = TicketStats & { organization_id: string };

/** Kysely's view of this service's database; the test of the schema compares it with the migrated one. */
export interface AnalyticsSchema {
  ticket_facts: TicketFactRow;
  ticket_counts: TicketCountsRow;
}
export type AnalyticsTx = Tx<AnalyticsSchema>;
