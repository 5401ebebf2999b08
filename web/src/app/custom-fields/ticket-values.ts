import type { CustomFieldChanges, CustomFieldValue, Ticket } from '@tandem/contracts';
import { storedFieldValue, type TicketStatus } from '@tandem/contracts/values';

type Values = Record<string, CustomFieldValue>;
/** Rows of lists have no values, and neither has a ticket that an older server sent. */
type WithValues = { custom_fields?: Values | undefined };
export type TicketFields = Pick<Ticket, 'category'> & WithValues;

const noValues: Values = {};
export const valuesOf = (ticket: WithValues): Values => ticket.custom_fields ?? noValues;

/** The values after a change. */
export function withChanges(values: Values, changes: CustomFieldChanges): Values {
  const all = Object.entries({ ...values, ...changes }).map(([key, value]) => [key, storedFieldValue(value)] as const);
  return Object.fromEntries(all.filter((entry): entry is [string, CustomFieldValue] => entry[1] !== null));
}

export const isClosing = (status: TicketStatus | undefined): boolean => status === 'resolved' || status === 'closed';
