import {
  defaultDirections,
  defaultStatusNames,
  ticketStatuses,
  type ExternalField,
  type ExternalStatus,
  type FieldMappings,
  type FieldProblem,
  type StatusCategory,
  type StatusMappings,
  type TaskToolCapabilities,
  type TicketStatus,
} from '@tandem/contracts';

const folded = (name: string): string => name.trim().toLowerCase();
const named = (statuses: ExternalStatus[], name: string): ExternalStatus | undefined =>
  statuses.find((status) => folded(status.name) === folded(name));
const first = (statuses: ExternalStatus[], ...categories: StatusCategory[]): ExternalStatus | undefined =>
  categories.map((category) => statuses.find((status) => status.category === category)).find((found) => found !== undefined);

/** Typical status names for work that waits for another person. */
const waitingNames = /\b(review|pending|waiting|on hold|feedback|blocked)\b/i;

/** The fallback by type for a status whose name the list does not have. */
const fitting: Record<TicketStatus, (statuses: ExternalStatus[]) => ExternalStatus | undefined> = {
  open: (statuses) => first(statuses, 'open'),
  in_progress: (statuses) =>
    statuses.find(({ category, name }) => category === 'active' && !waitingNames.test(name)) ?? first(statuses, 'active'),
  waiting_for_customer: (statuses) => statuses.find(({ category, name }) => category !== 'closed' && waitingNames.test(name)),
  resolved: (statuses) => first(statuses, 'done', 'closed'),
  closed: (statuses) => first(statuses, 'closed', 'done'),
};

/**
 * Proposes a status of the list for each ticket status: by the default names regardless of case, otherwise by type. Null if none fits, and
 * an admin has to choose. If tasks are only open or closed, tickets in any unfinished status have an open one.
 */
export function proposeStatuses(statuses: ExternalStatus[], kind: TaskToolCapabilities['statuses']): StatusMappings {
  const proposals = ticketStatuses.map((status) => {
    const found = named(statuses, defaultStatusNames[status]) ?? fitting[status](statuses);
    const stillOpen = kind === 'open_closed' ? first(statuses, 'open') : undefined;
    return [status, (found ?? stillOpen)?.name ?? null];
  });
  return Object.fromEntries(proposals) as StatusMappings;
}

/** Fields for email addresses. */
export const emailFields = (fields: ExternalField[]): ExternalField[] => fields.filter(({ type }) => type === 'email');

/** The id of the field 'Customer Email', regardless of case; otherwise that of the only email field, if there is exactly one. */
export function proposeEmailField(fields: ExternalField[]): string | null {
  const fitting = emailFields(fields);
  const made = fitting.find(({ name }) => folded(name) === 'customer email');
  return (made ?? (fitting.length === 1 ? fitting[0] : undefined))?.id ?? null;
}

/** The mapping with each name spelled as in the list, and a problem for each name that the list does not have. */
export function checkStatuses(wanted: StatusMappings, statuses: ExternalStatus[]): { mappings: StatusMappings; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const checked = Object.entries(wanted).map(([status, name]) => {
    const found = name === null ? null : named(statuses, name);
    if (found === undefined)
      problems.push({ path: `status_mappings.${status}`, code: 'unknown', message: `The list has no status “${name ?? ''}”` });
    return [status, found?.name ?? null];
  });
  return { mappings: Object.fromEntries(checked) as StatusMappings, problems };
}

/** Ticket statuses without a target: none was chosen, or the list no longer has the chosen one. Empty if statuses are not sent. */
export function unmappedStatuses(mappings: StatusMappings, fields: FieldMappings, statuses: ExternalStatus[]): TicketStatus[] {
  const direction = fields.status?.direction ?? defaultDirections.status;
  if (direction !== 'both' && direction !== 'to_task') return [];
  return ticketStatuses.filter((status) => !named(statuses, mappings[status] ?? ''));
}

/** If no field was chosen for the customer's address, uses the proposed one. */
export function withEmailField(mappings: FieldMappings, proposed: string | null): FieldMappings {
  if (mappings.customer_email || proposed === null) return mappings;
  return { ...mappings, customer_email: { direction: defaultDirections.customer_email as 'to_task', field_id: proposed } };
}
