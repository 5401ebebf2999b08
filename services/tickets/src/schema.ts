import type { Comment, Organization, Ticket } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import type { Generated, GeneratedAlways } from 'kysely';

/** A ticket as it is stored: the contract's fields without what other rows contribute. */
export interface TicketRow extends Omit<Ticket, 'assignee'> {
  description_preview: GeneratedAlways<string | null>;
  search_text: GeneratedAlways<string>;
}

export type CommentRow = Omit<Comment, 'author'> & { organization_id: string };

/** `sequence`: of the event that wrote the row. */
export type OrganizationRow = Pick<Organization, 'name' | 'subdomain' | 'ticket_prefix'> & { organization_id: string; sequence: number };

export interface MemberRow {
  organization_id: string;
  user_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  is_active: boolean;
  sequence: number;
}

export interface TicketCounterRow {
  organization_id: string;
  prefix: string;
  last_number: Generated<number>;
}

/** Kysely's view of this service's database; the test of the schema compares it with the migrated one. */
export interface TicketsSchema {
  tickets: TicketRow;
  comments: CommentRow;
  organizations: OrganizationRow;
  members: MemberRow;
  ticket_counters: TicketCounterRow;
}
export type TicketsTx = Tx<TicketsSchema>;
