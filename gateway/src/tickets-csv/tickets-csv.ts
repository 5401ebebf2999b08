import type { CustomField, CustomFieldValue, TicketCsvColumns, TicketSummary } from '@tandem/contracts';
import { csvOf, type CsvColumn } from '../csv/csv';

/** A ticket of a list, with the columns that lists do not have. */
export type CsvTicket = TicketSummary & Omit<TicketCsvColumns, 'id'>;

const listOf = (values: readonly string[]): string | null => (values.length === 0 ? null : values.join('; '));

const columns: CsvColumn<CsvTicket>[] = [
  ['number', (ticket) => ticket.ticket_number],
  ['subject', (ticket) => ticket.subject],
  ['status', (ticket) => ticket.status],
  ['priority', (ticket) => ticket.priority],
  ['category', (ticket) => ticket.category],
  ['tags', (ticket) => listOf(ticket.tags)],
  ['channel', (ticket) => ticket.channel],
  ['customer_email', (ticket) => ticket.customer_email],
  ['customer_name', (ticket) => ticket.customer_name],
  ['assignee', (ticket) => ticket.assignee?.email ?? null],
  ['created_at', (ticket) => ticket.created_at],
  ['updated_at', (ticket) => ticket.updated_at],
  ['resolved_at', (ticket) => ticket.resolved_at],
  ['first_response_at', (ticket) => ticket.first_response_at],
  ['response_due_at', (ticket) => ticket.response_due_at],
  ['resolution_due_at', (ticket) => ticket.resolution_due_at],
  ['sla_breached_at', (ticket) => ticket.sla_breached_at],
  ['escalated_at', (ticket) => ticket.escalated_at],
  ['external_id', (ticket) => ticket.external_id],
];

/** The file has a column for each custom field, under its label; choices have their labels. */
export const ticketsCsv = (fields: readonly CustomField[]) =>
  csvOf<CsvTicket>([
    ...columns,
    ...fields
      .filter(({ deleted_at }) => deleted_at === null)
      .map((field): CsvColumn<CsvTicket> => [field.label, ({ custom_fields }) => cellOf(field, custom_fields[field.key])]),
  ]);

function cellOf({ options }: CustomField, value: CustomFieldValue | undefined): string | null {
  if (value === undefined) return null;
  const labelOf = (chosen: string) => options.find((option) => option.value === chosen)?.label ?? chosen;
  return Array.isArray(value) ? listOf(value.map(labelOf)) : labelOf(String(value));
}
