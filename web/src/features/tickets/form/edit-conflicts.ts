import type { Ticket } from '@tandem/contracts';
import { priorityLabels } from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';
import type { TicketField, TicketValues } from './use-ticket-form';

export const valuesOf = (ticket: Ticket): TicketValues => ({
  subject: ticket.subject,
  description: ticket.description ?? '',
  customer_email: ticket.customer_email,
  customer_name: ticket.customer_name ?? '',
  category: ticket.category ?? '',
  priority: ticket.priority,
  tags: ticket.tags,
});

export const fieldLabels: Record<TicketField, string> = {
  subject: t('tickets.form.subject'),
  description: t('tickets.form.description'),
  customer_email: t('tickets.form.customer_email'),
  customer_name: t('tickets.form.customer_name'),
  category: t('tickets.form.category'),
  priority: t('tickets.form.priority'),
  tags: t('tickets.form.tags'),
};

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Only the changed fields are sent, so that another person's change to a different field survives. */
export const changedFields = (before: TicketValues, after: TicketValues): TicketField[] =>
  (Object.keys(fieldLabels) as TicketField[]).filter((name) => !isSame(before[name], after[name]));

export const pickFields = (values: TicketValues, names: TicketField[]): Partial<TicketValues> =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

/**
 * Compares the changes since `seen`: `taken` lists fields that only the other person changed, `conflicts` those that both changed to
 * different values.
 */
export function compareEdits(
  seen: TicketValues,
  mine: TicketValues,
  theirs: TicketValues,
): { taken: TicketField[]; conflicts: TicketField[] } {
  const own = new Set(changedFields(seen, mine));
  const foreign = changedFields(seen, theirs);
  return {
    taken: foreign.filter((name) => !own.has(name)),
    conflicts: foreign.filter((name) => own.has(name) && !isSame(mine[name], theirs[name])),
  };
}

/** A value as text for display. */
export function valueText(name: TicketField, values: TicketValues): string {
  const value = values[name];
  if (name === 'priority') return priorityLabels[values.priority];
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === '' ? t('tickets.form.empty') : text;
}
