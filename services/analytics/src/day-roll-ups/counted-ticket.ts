import type { TicketFactRow } from '../schema';
import type { DimensionFields } from './dimensions';

/** The ticket data that the figures need. */
export type CountedTicket = Pick<
  TicketFactRow,
  'status' | 'created_hour' | 'first_response_time_hours' | 'resolution_time_hours' | 'reopen_count' | 'public_reply_count'
> &
  DimensionFields & { rating: number | null; is_breached: boolean; is_escalated: boolean; is_surveyed: boolean };

export const zeros = (length: number): number[] => Array.from({ length }, () => 0);
export const isOpen = (status: string): boolean => status === 'open' || status === 'in_progress';
