import { ticketPriorities, ticketStatuses, type CustomFieldValue, type TicketPriority, type TicketStatus } from '@tandem/contracts';
import type { ImportInput, SourceItem, SourcePlace } from '../import-reader';
import { customFieldValues } from './custom-field-values';
import type { OncePerImport } from './source-items';

/** Conversions that the readers of APIs share. */

/** A value of ours, and the item with which an admin can map the value of the source. */
interface Mapped<T> {
  to: T;
  items: SourceItem[];
}

export function mapStatus(value: string, suggestion: TicketStatus, { statuses }: ImportInput): Mapped<TicketStatus> {
  const same = ticketStatuses.find((each) => each === value);
  if (same) return { to: same, items: [] };
  return { to: statuses.get(value) ?? suggestion, items: [{ type: 'value', field: 'status', value, suggestion }] };
}

export function mapPriority(value: string, suggestion: TicketPriority, { priorities }: ImportInput): Mapped<TicketPriority> {
  const same = ticketPriorities.find((each) => each === value);
  if (same) return { to: same, items: [] };
  return { to: priorities.get(value) ?? suggestion, items: [{ type: 'value', field: 'priority', value, suggestion }] };
}

/**
 * The values of custom fields that the organization has. A field that it does not have is a problem once per import, with the first ticket:
 * a problem per ticket would hide all others.
 */
export function mapCustomFields(
  values: Readonly<Record<string, unknown>>,
  { custom_fields }: ImportInput,
  { ticket, at, once }: { ticket: string; at: SourcePlace; once: OncePerImport },
): { fields: Record<string, CustomFieldValue>; items: SourceItem[] } {
  const items: SourceItem[] = [];
  const named = Object.entries(values).map(([key, value]) => ({ names: [key], value }));
  const reading = customFieldValues(named, custom_fields, once, at);
  for (;;) {
    const next = reading.next();
    if (next.done) return { fields: next.value, items };
    const item = next.value;
    items.push(item.type === 'problem' ? { ...item, problem: { ...item.problem, key: ticket } } : item);
  }
}

/** The start of a message, for a source in which tickets have no subject. Empty if it has no text. */
export function subjectOf(message: string): string {
  const line =
    message
      .split('\n')
      .map((each) => each.trim())
      .find((each) => each !== '') ?? '';
  if (line.length <= 100) return line;
  return `${line.slice(0, 99).replace(/\s\S*$/, '')}…`;
}

/** The addresses of a mail header: `Ann Lee <ann@example.com>, bob@example.com`. */
export const addressesOf = (header: string): string[] =>
  [...header.matchAll(/[^\s<>,;"']+@[^\s<>,;"']+/g)].map(([address]) => address.toLowerCase());
