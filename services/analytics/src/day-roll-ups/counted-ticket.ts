import type { TicketFactRow } from '../schema';
import type { DimensionFields } from './dimensions';
import type { Duration } from './duration';

/** The ticket data that the figures need. */
export type CountedTicket = Pick<TicketFactRow, 'status' | 'created_hour'> &
  DimensionFields & {
    /** Null without a first response. */
    first_response: Duration | null;
    /** Null if the ticket is not resolved. */
    resolution: Duration | null;
    rating: number | null;
    is_breached: boolean;
    is_escalated: boolean;
    is_surveyed: boolean;
    is_reopened: boolean;
    /** Exactly one public comment of staff. */
    has_one_reply: boolean;
  };

export const zeros = (length: number): number[] => Array.from({ length }, () => 0);
export const isOpen = (status: string): boolean => status === 'open' || status === 'in_progress';
