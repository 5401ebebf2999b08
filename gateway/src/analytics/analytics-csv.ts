import type { ExportedTicket } from '@tandem/contracts';
import { csvOf, type CsvColumn } from '../csv/csv';

const numberOf = (value: number | null): string | null => (value === null ? null : String(value));

const columns: CsvColumn<ExportedTicket>[] = [
  ['ticket_number', (ticket) => ticket.ticket_number],
  ['created_at', (ticket) => ticket.created_at],
  ['status', (ticket) => ticket.status],
  ['priority', (ticket) => ticket.priority],
  ['category', (ticket) => ticket.category],
  // Tags may contain commas.
  ['tags', (ticket) => (ticket.tags.length === 0 ? null : JSON.stringify(ticket.tags))],
  ['channel', (ticket) => ticket.channel],
  ['assignee', (ticket) => ticket.assignee],
  ['first_response_at', (ticket) => ticket.first_response_at],
  ['first_response_time_hours', (ticket) => numberOf(ticket.first_response_time_hours)],
  ['resolved_at', (ticket) => ticket.resolved_at],
  ['resolution_time_hours', (ticket) => numberOf(ticket.resolution_time_hours)],
  ['customer_satisfaction_rating', (ticket) => numberOf(ticket.customer_satisfaction_rating)],
  ['sla_breached', (ticket) => String(ticket.sla_breached)],
  ['escalated', (ticket) => String(ticket.escalated)],
  ['reopen_count', (ticket) => String(ticket.reopen_count)],
  ['public_reply_count', (ticket) => String(ticket.public_reply_count)],
  ['ticket_id', (ticket) => ticket.ticket_id],
];

export const analyticsCsv = csvOf(columns);
