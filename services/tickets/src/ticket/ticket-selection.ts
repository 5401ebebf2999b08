import type { TaskFilter, TicketPriority, TicketSort, TicketStatus } from '@tandem/contracts';
import type { ListCursor } from './ticket-order';

/** The filters of a list; undefined ones do not filter. `assignee: null` means unassigned. */
export interface TicketSelection {
  search?: string;
  statuses?: TicketStatus[];
  priorities?: TicketPriority[];
  assignee?: string | null;
  category?: string;
  /** Matches tickets with any of them. */
  tags?: string[];
  task?: TaskFilter;
  customer_email?: string;
  created_from?: string;
  created_to?: string;
  ids?: string[];
}
/** The rows to read from it: those after a cursor position, or after `skip` rows. */
export interface PageRequest {
  sort: TicketSort;
  after: ListCursor | undefined;
  skip: number;
  rows: number;
}
